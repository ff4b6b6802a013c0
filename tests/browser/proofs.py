"""The page that checks a proof, opened from the disk with the network cut."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from croupier.server import pages

CHECKER = Path(pages.__file__).parent / "static" / "check.html"


def checked_offline(chromium: Browser, checker: Path, proof: Path, key: str = "") -> str:
    """What it says of a file; it asks nobody anything."""
    context = chromium.new_context(offline=True)
    try:
        page, asked = context.new_page(), list[str]()
        page.goto(checker.as_uri())
        page.on("request", lambda request: asked.append(request.url))
        page.fill("#key", key)
        page.set_input_files("#file", proof)
        page.wait_for_selector("#said:not([hidden])")
        assert asked == []
        return page.inner_text("#said")
    finally:
        context.close()
