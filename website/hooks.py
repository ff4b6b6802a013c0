"""What mkdocs calls while it builds the site."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parents[1]))

from website.reference import addresses, book_pages

DEMO = Path(__file__).parents[1] / "build/demo"
ICON = Path(__file__).parents[1] / "src/croupier/server/pages/static/icon.svg"
PLAY_NOW = 'class="play-now" href="demo/index.html"'
FENCE = re.compile(r"^(```\w+) (.+)$", re.MULTILINE)
# Before anything is drawn; docs/site.js follows the system from then on.
SCHEME = """<head>
<script>
document.documentElement.dataset.bsTheme =
  matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
</script>"""
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
    index = Path(config.site_dir) / "search/search_index.json"
    index.write_text(json.dumps(_by_chapter(json.loads(index.read_text("utf-8")))), "utf-8")
    if DEMO.exists():
        shutil.copytree(DEMO, Path(config.site_dir) / "demo", dirs_exist_ok=True)


def _by_chapter(index: dict[str, Any]) -> dict[str, Any]:
    """Each chapter once, with the page that it is of; a page is not listed beside its chapters."""
    chapters: list[dict[str, str]] = []
    page, is_first = "", False
    for entry in index["docs"]:
        if "#" not in entry["location"]:
            page, is_first = entry["title"], True
            continue
        text = entry["text"] if is_first else f"{page}: {entry['text']}"
        chapters.append(entry | {"text": text})
        is_first = False
    return index | {"docs": chapters}


def on_post_page(output: str, /, **page: object) -> str:
    """Reading the docs tells nobody: a page fetches nothing from elsewhere."""
    if fetched := FETCHED.search(output):
        raise PluginError(f"a page would fetch {fetched[1]}")
    if DEMO.exists():
        output = output.replace('class="play-now" href="demo.html"', PLAY_NOW)
    return output.replace("<head>", SCHEME, 1).replace("img/favicon.ico", "img/icon.svg")
