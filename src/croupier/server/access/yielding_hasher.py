"""Argon2 in threads of the least priority; who asks for a hash waits in his own."""

from __future__ import annotations

from typing import Literal

from argon2 import PasswordHasher

from croupier.server.threads import hashing_threads


class YieldingHasher(PasswordHasher):
    """The lines that are written of a password are written elsewhere: on a busy machine a thread
    that yields may not run for long, and would keep the ledger locked for as long."""

    def __init__(self, rounds: int, memory_kib: int) -> None:
        super().__init__(time_cost=rounds, memory_cost=memory_kib)
        self._threads = hashing_threads()

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        return self._threads.submit(super().hash, password, salt=salt).result()

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
        return self._threads.submit(super().verify, hash, password).result()

    def close(self) -> None:
        self._threads.shutdown(wait=False)
