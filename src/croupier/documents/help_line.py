"""Where to find help with gambling: the same words on every page, guide and sign."""

from __future__ import annotations

HELP = (
    "When play is no longer play: 1-800-GAMBLER (1-800-426-2537) helps for free, in confidence, "
    "day and night."
)
