"""Prometheus metrics: how much is going on and how long it takes, never who or what."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
__all__ = ["CONTENT_TYPE", "Metrics"]


class Metrics:
    """The numbers of one pit, in a registry of their own."""

    def __init__(self) -> None:
        kept = self._registry = CollectorRegistry()
        self.commands = Counter(
            "croupier_commands", "Commands answered", ["outcome"], registry=kept
        )
        self._by_outcome: dict[str, Counter] = {}
        self.seconds = Histogram(
            "croupier_command_seconds",
            "From the arrival of a command to its answer",
            buckets=SECONDS,
            registry=kept,
        )
        self.unkept = Counter(
            "croupier_refusals_unkept",
            "Refused commands beyond their giver's budget",
            registry=kept,
        )
        self.tables = Gauge("croupier_tables", "Tables that are open", registry=kept)
        self.sockets = Gauge("croupier_sockets", "Sockets that watch a table", registry=kept)
        self.logins = Gauge("croupier_logins", "People who are logged in", registry=kept)
        self.rounds = Counter("croupier_rounds", "Rounds that ended", registry=kept)
        self.appends = Counter("croupier_appends", "Writings on the ledger", registry=kept)
        self.commits = Counter("croupier_commits", "Waits for the disk", registry=kept)
        self.ledger_errors = Counter(
            "croupier_ledger_errors", "Writings that the ledger could not take", registry=kept
        )

    def answered(self, outcome: str, seconds: float) -> None:
        counter = self._by_outcome.get(outcome)
        if counter is None:
            counter = self._by_outcome[outcome] = self.commands.labels(outcome)
        counter.inc()
        self.seconds.observe(seconds)

    def wrote(self, appends: int, failed: int) -> None:
        self.appends.inc(appends)
        self.commits.inc()
        self.ledger_errors.inc(failed)

    def exposition(self) -> bytes:
        return generate_latest(self._registry)
