"""What mkdocs calls while it builds the site."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parents[1]))

from website.reference import addresses


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages of the reference stand beside those that people wrote."""
    for address, made in addresses().items():
        files.append(File.generated(config, address, content=made()))
    return files
