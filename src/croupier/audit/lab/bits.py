"""Trials on bits, as a device gives them or as they are worked back from what was dealt."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from croupier.audit.lab.trials import Trial, chi_square, fit, normal, worst

Bits = NDArray[np.uint8]

BLOCK = 128
LAGS = range(1, 65)


def bits_of(raw: bytes) -> Bits:
    return np.unpackbits(np.frombuffer(raw, dtype=np.uint8))


def battery(bits: Bits, whose: str) -> list[Trial]:
    found = (monobit(bits), block_frequency(bits), runs(bits), serial(bits), octets(bits))
    return [_named(trial, whose) for trial in (*found, autocorrelation(bits))]


def monobit(bits: Bits) -> Trial:
    size = len(bits)
    z = (2 * int(bits.sum(dtype=np.int64)) - size) / math.sqrt(size)
    return normal("monobit", z, size, "ones {:.3%} off", 1 / math.sqrt(size))


def block_frequency(bits: Bits) -> Trial:
    """Ones in each block of 128: finds a source that is fair only on the whole."""
    blocks = len(bits) // BLOCK
    ones = bits[: blocks * BLOCK].reshape(blocks, BLOCK).sum(axis=1)
    statistic = float(((ones - BLOCK / 2) ** 2).sum()) * 4 / BLOCK
    return chi_square(
        "block frequency",
        statistic,
        blocks,
        blocks * BLOCK,
        "ones in each block {:.2%} off, up or down",
        lambda noncentral: math.sqrt(noncentral / (blocks * BLOCK)),
    )


def runs(bits: Bits) -> Trial:
    """How often a bit differs from the one before, for as many ones as there are."""
    size = len(bits)
    ones = float(bits.mean())
    changes = 1 + int((bits[1:] != bits[:-1]).sum())
    fair = 2 * size * ones * (1 - ones)
    z = (changes - fair) * math.sqrt(size) / fair if fair else math.inf
    return normal("runs", z, size, "changes {:.3%} off", 1 / math.sqrt(size))


def serial(bits: Bits) -> Trial:
    """Patterns of three neighbors, less what patterns of two say already (NIST's serial test)."""
    size = len(bits)
    wrapped = np.concatenate([bits, bits[:2]])

    def evenness(width: int) -> float:
        codes = np.zeros(size, dtype=np.uint8)
        for place in range(width):
            codes = 2 * codes + wrapped[place : size + place]
        counts = np.bincount(codes, minlength=2**width)
        return float((counts.astype(float) ** 2).sum() * 2.0**width / size - size)

    return chi_square(
        "serial patterns",
        evenness(3) - evenness(2),
        4,
        size,
        "one pattern of three bits {:.2%} off",
        lambda noncentral: math.sqrt(noncentral * 7 / size),
    )


def octets(bits: Bits) -> Trial:
    counts = np.bincount(np.packbits(bits[: len(bits) // 8 * 8]), minlength=256)
    return fit("bytes", counts, np.full(256, 1 / 256), "one byte {:.2%} off")


def autocorrelation(bits: Bits) -> Trial:
    """Each bit against the first to 64th one after it."""
    found = []
    for lag in LAGS:
        size = len(bits) - lag
        differ = int((bits[lag:] ^ bits[:-lag]).sum(dtype=np.int64))
        z = (size - 2 * differ) / math.sqrt(size)
        found.append(normal("", z, size, "bits correlated by {:.3%}", 1 / math.sqrt(size)))
    return worst("autocorrelation", found)


def _named(trial: Trial, whose: str) -> Trial:
    return replace(trial, name=f"{whose}: {trial.name}")
