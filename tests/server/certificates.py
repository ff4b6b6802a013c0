"""Certificates made for a test: an authority of one's own, and what it signs."""

from __future__ import annotations

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PEM = serialization.Encoding.PEM


class Authority:
    """``root`` is what everybody who trusts it has."""

    def __init__(self, folder: Path, name: str = "an authority of our own") -> None:
        self._folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        made = _begun(self._name, self._name, self._key.public_key())
        for_all = x509.BasicConstraints(ca=True, path_length=0)
        self._certificate = made.add_extension(for_all, critical=True).sign(
            self._key, hashes.SHA256()
        )
        self.root = folder / "root.pem"
        self.root.write_bytes(self._certificate.public_bytes(PEM))

    def certificate(self, name: str, *, with_root: bool = True) -> tuple[Path, Path]:
        """For this machine, and the file of its private key."""
        key = ec.generate_private_key(ec.SECP256R1())
        here = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        made = _begun(_name(name), self._name, key.public_key())
        signed = made.add_extension(x509.SubjectAlternativeName(here), critical=False).sign(
            self._key, hashes.SHA256()
        )
        pem, private = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        root = self._certificate.public_bytes(PEM) if with_root else b""
        pem.write_bytes(signed.public_bytes(PEM) + root)
        private.write_bytes(
            key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )
        return pem, private


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _begun(
    name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
    )
