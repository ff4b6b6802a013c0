"""An auditor tested on a log of one's own: would every slip be found in it?"""

from __future__ import annotations

import json
from itertools import islice

from rich.text import Text

from croupier.audit.log.log_audit import LogAudit
from croupier.audit.log.log_corruption import CORRUPTIONS, mutants
from croupier.audit.records.files import read_records
from croupier.cli.commands.audit_log import Wanted
from croupier.cli.screen import Screen
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry

MOST_TESTED = 2_000
SEED = 1
WORDS = {True: "found", False: "NOT FOUND", None: "no opportunity in this log"}


def self_test(wanted: Wanted, registry: Registry) -> int:
    """The first records corrupted in every way that is looked for; 1 where one was not found."""
    path, submissions = wanted.path, wanted.submissions
    log = [record for _, record in islice(read_records(path), MOST_TESTED)]
    clean = list(LogAudit(registry, submissions).records(log))
    if clean:
        raise Unreadable(f"{path} is not clean, so nothing can be told by it: {clean[0]}")
    results: dict[str, bool | None] = dict.fromkeys(CORRUPTIONS)
    for mutant in mutants(log, registry, SEED):
        found = LogAudit(registry, submissions).records(mutant.log)
        results[mutant.name] = any(finding.kind in mutant.kinds for finding in found)
    if wanted.as_json:
        print(json.dumps({"file": str(path), "seed": SEED, "found": results}))
    else:
        _tell(results, Screen())
    return 1 if False in results.values() else 0


def _tell(results: dict[str, bool | None], console: Screen) -> None:
    for name, result in results.items():
        style = "bold red" if result is False else ""
        console.print(Text(f"{name:34}{WORDS[result]}", style=style))
