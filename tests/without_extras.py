"""``python -m tests.without_extras``: commands as they go where no optional package is installed.

Standard input has them as JSON, a list of arguments each; standard output gets their answers. What
is named as an argument lacks, or everything optional.
"""

from __future__ import annotations

import json
import pkgutil
import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from typing import Any

from croupier.extras import EXTRAS


class Absent(MetaPathFinder):
    """Found first, and never found: what Python says of a package that nobody installed."""

    def __init__(self, modules: set[str]) -> None:
        self._modules = modules

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname.partition(".")[0] in self._modules:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def unimportable() -> list[str]:
    """The modules of the package that cannot be imported."""
    import croupier

    found = []
    for module in pkgutil.walk_packages(croupier.__path__, "croupier."):
        if not module.name.endswith("__main__"):
            try:
                import_module(module.name)
            except ModuleNotFoundError:
                found.append(module.name)
    return found


def main() -> None:
    sys.meta_path.insert(0, Absent(set(sys.argv[1:]) or {extra.module for extra in EXTRAS}))
    from tests.cli.ledger_commands import run

    told: list[Any] = [run(*arguments) for arguments in json.load(sys.stdin)]
    json.dump({"ran": told, "unimportable": unimportable()}, sys.stdout)


if __name__ == "__main__":
    main()
