"""What mkdocs calls while it builds the site."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parents[1]))

from website.reference import addresses, book_pages

DEMO = Path(__file__).parents[1] / "build/demo"
ICON = Path(__file__).parents[1] / "src/croupier/server/pages/static/icon.svg"
PLAY_NOW = 'class="play-now" href="demo/index.html"'
FENCE = re.compile(r"^(```\w+) (.+)$", re.MULTILINE)
FETCHED = re.compile(r'(?:\bsrc|<link[^>]*\bhref)="(https?://[^"]+)"')


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """A book that is put on the shelf is in the menu too."""
    (reference,) = (part["Reference"] for part in config.nav or () if "Reference" in part)
    reference += [{title: address} for address, title in book_pages().items()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages of the reference stand beside those that people wrote."""
    for address, made in addresses().items():
        files.append(File.generated(config, address, content=made()))
    files.append(File.generated(config, "img/icon.svg", abs_src_path=str(ICON)))
    return files


def on_page_markdown(markdown: str, /, **page: object) -> str:
    """Of what a fence says to the tests a reader is told the name of the file."""
    return FENCE.sub(lambda fence: f"{_file_in(fence[2])}{fence[1]}", markdown)


def _file_in(words: str) -> str:
    names = (word.partition("=")[2] for word in shlex.split(words))
    return "".join(f"`{name}`\n{{: .file }}\n\n" for name in names if name)


def on_post_build(config: MkDocsConfig) -> None:
    """The table without an install lies beside the pages, where `make demo` has built it."""
    if DEMO.exists():
        shutil.copytree(DEMO, Path(config.site_dir) / "demo", dirs_exist_ok=True)


def on_post_page(output: str, /, **page: object) -> str:
    """Reading the docs tells nobody: a page fetches nothing from elsewhere."""
    if fetched := FETCHED.search(output):
        raise PluginError(f"a page would fetch {fetched[1]}")
    if DEMO.exists():
        output = output.replace('class="play-now" href="demo.html"', PLAY_NOW)
    return output.replace("img/favicon.ico", "img/icon.svg")
