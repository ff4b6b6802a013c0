"""Running it: health, metrics, logs without secrets, its own hashes, settings and certificates."""

from __future__ import annotations

import datetime
import json
import os
import shutil
import ssl
from pathlib import Path
from urllib.request import urlopen

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import croupier
from croupier.facts.errors import Unreadable
from croupier.server.settings import MEANINGS, Settings, settings
from tests.server.service import PASSWORD, Client, Service
from tests.server.staff import Table, hire, install


def test_health_readiness_and_metrics(table: Table, people: dict[str, Client]) -> None:
    anybody = Client(people["ann"].service)
    assert anybody.get("/health") == "ok"
    assert anybody.get("/ready").endswith(" tables")
    table.ask("ann", "play", box=1, cents=1)
    with people["ann"].watching(table.name) as socket:
        socket.recv(timeout=20)
        told = anybody.get("/metrics")
    numbers = dict(
        line.rsplit(" ", 1) for line in told.splitlines() if line and not line.startswith("#")
    )
    assert float(numbers['croupier_commands_total{outcome="refused"}']) >= 1
    assert float(numbers["croupier_command_seconds_count"]) >= 6
    assert float(numbers["croupier_tables"]) >= 3
    assert float(numbers["croupier_sockets"]) >= 1
    assert float(numbers["croupier_appends_total"]) >= 6
    assert float(numbers["croupier_ledger_errors_total"]) == 0
    for secret in (PASSWORD, people["ann"].token, "ann"):
        assert secret not in told


def test_the_log_is_lines_of_json_without_a_secret(tmp_path: Path) -> None:
    with Service(tmp_path, "", "--log-json").running() as service:
        people = hire(service)
        table = install(people, "J").opened().dealt()
        service.log_in("ann")
        Client(service).post("/api/login", {"name": "ann", "password": "a wrong password"})
        shown = [box for who in ("ann", "bob") for box in table.view(who)["boxes"]]
        cards = {card for box in shown for card in box["cards"]}
        table.finished()
    lines = [json.loads(line) for line in service.said().splitlines() if line.startswith("{")]
    assert {"access", "command", "stopped"} <= {line["event"] for line in lines}
    deal = next(line for line in lines if line.get("do") == "deal")
    assert (deal["who"], deal["table"], deal["outcome"]) == ("dealer", "J", "done")
    assert any(line.get("outcome") == "refused" and line["event"] == "access" for line in lines)
    secrets = {PASSWORD, "a wrong password", *(c.token for c in people.values()), *cards - {"??"}}
    for secret in secrets:
        assert not any(f'"{secret}' in json.dumps(line) for line in lines)
        assert secret not in service.said() or len(secret) == 2


def test_a_changed_program_plays_only_when_a_manager_accepts_it(tmp_path: Path) -> None:
    copy = tmp_path / "src" / "croupier"
    shutil.copytree(Path(croupier.__file__).parent, copy, ignore=shutil.ignore_patterns("*.pyc"))
    service = Service(tmp_path, environment={"PYTHONPATH": str(copy.parent)}, self_check="true")
    with service.running():
        people = hire(service)
        first = people["ann"].get("/api/program")
        assert len(first["digest"]) == 64
        assert first["changed"] == []
        Table(people, "UTH-1", "uth").done("dealer", "open-table")
        with (copy / "facts" / "money.py").open("a", encoding="utf-8") as file:
            file.write("\n# changed\n")
        assert people["dealer"].send("POST", "/api/program/check")[0] == 403
        assert people["manager"].post("/api/program/check")["changed"] == ["croupier"]
        told = people["ann"].ask("UTH-1", "take-box", box=1)
        assert told["outcome"] == "unavailable"
        assert told["sentence"].startswith("the program has changed (croupier)")
        assert people["ann"].send("GET", "/ready")[0] == 503
    with service.running():
        assert "The program has changed (croupier)" in service.said()
        people = {name: service.log_in(client.name) for name, client in people.items()}
        assert people["ann"].ask("UTH-1", "take-box", box=1)["outcome"] == "unavailable"
        assert people["ann"].look("UTH-1")["view"]["phase"] == "betting"
        now = people["manager"].get("/api/program")
        accept = {"digest": now["digest"]}
        assert people["admin"].send("POST", "/api/program/acceptance", accept)[0] == 403
        told = people["manager"].post("/api/program/acceptance", {"digest": first["digest"]})
        assert told["outcome"] == "unreadable"
        assert people["manager"].post("/api/program/acceptance", accept)["changed"] == []
        assert people["ann"].ask("UTH-1", "take-box", box=1)["outcome"] == "done"


def test_settings_come_from_file_environment_and_command_line(tmp_path: Path) -> None:
    file = tmp_path / "pit.toml"
    file.write_text('port = 1\nhost = "a"\nledger = "f"\nsubmissions = ["x.toml"]\n')
    environment = {"CROUPIER_PORT": "2", "CROUPIER_HOST": "b", "CROUPIER_KEYS": "secret"}
    found = settings(file, {"port": 3, "keys": None}, environment)
    assert (found.port, found.host, found.ledger, found.keys) == (3, "b", "f", "")
    assert found.submissions == ("x.toml",)
    both = os.pathsep.join(["a.toml", "b.toml"])
    assert settings(None, {}, {"CROUPIER_SUBMISSIONS": both}).submissions == ("a.toml", "b.toml")
    for wrong in ('port = "x"', "port = 70000", "colour = 1", "port ="):
        file.write_text(wrong)
        with pytest.raises(Unreadable):
            settings(file, {}, {})
    with pytest.raises(Unreadable, match="cannot be read"):
        settings(tmp_path / "none.toml", {}, {})


def test_every_setting_has_a_meaning() -> None:
    assert tuple(MEANINGS) == Settings.__struct_fields__


def test_it_speaks_tls_with_a_certificate(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem, private = tmp_path / "pit.pem", tmp_path / "pit.key"
    pem.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    trusting = ssl.create_default_context(cafile=str(pem))
    service = Service(tmp_path, certificate=pem, private_key=private, trusting=trusting)
    with service.running():
        with urlopen(f"{service.url}/health", context=trusting) as answer:
            assert answer.read() == b"ok"
        assert service.url in service.said().replace("127.0.0.1", "localhost")
