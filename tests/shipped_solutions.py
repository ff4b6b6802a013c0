"""``python -m tests.shipped_solutions``: count the shipped rules and keep their solutions.

They go into the package, under the hash of the rules and of the code. Whoever changes a source of
the rooms they are counted by, or a rulebook, runs ``make solutions``; a test says when it is due.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product

from croupier.exact.shipped_solutions import FOLDER, write
from croupier.exact.solution_file import code_digest
from croupier.exact.solve import solve
from croupier.games.registry import the_registry
from croupier.games.rules import Rules, bind, first_letters
from croupier.submission.check import shipped_submission


def shipped_rules() -> dict[str, Rules]:
    """By name: each book under every paytable its base game can have, and as it is submitted."""
    return dict(_named())


def _named() -> Iterator[tuple[str, Rules]]:
    registry, seen = the_registry(), set[Rules]()
    for book in registry.books.values():
        wagers = tuple(first_letters(book))
        for letters in product(*(book.paytables[wager] for wager in wagers)):
            chosen = dict(zip(wagers, letters, strict=True))
            called = "".join(f"-{wager}-{letter}" for wager, letter in chosen.items())
            rules = bind(registry.game_of(book), book, chosen)
            seen.add(rules)
            yield f"{book.id}{called}", rules
        submitted = shipped_submission(book.id).rules(registry)
        if submitted not in seen:
            yield f"{book.id}-shipped", submitted


def main() -> None:
    code_digest()  # of the sources as they are now: whoever edits one meanwhile counts again
    counted = {}
    for name, rules in shipped_rules().items():
        print(f"counting {name}", file=sys.stderr)
        counted[name] = (rules, solve(rules))
    write(counted)
    kept = sum(path.stat().st_size for path in FOLDER.iterdir())
    print(f"{len(counted)} solutions kept, {kept:,} bytes")


if __name__ == "__main__":
    main()
