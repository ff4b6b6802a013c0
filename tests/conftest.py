"""How property tests search: repeatable in CI, freely everywhere else."""

import os

from hypothesis import settings

settings.register_profile(
    "croupier", deadline=None, max_examples=200, derandomize="CI" in os.environ
)
settings.load_profile("croupier")
