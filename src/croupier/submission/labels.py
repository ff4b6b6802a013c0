"""What the choices of a submission are called when they are told to people."""

from __future__ import annotations

DEVICES = {
    "shuffler": "an automatic shuffler",
    "counts_to_52": "it counts to 52",
    "loads_shoe": "it loads the shoe",
    "keeps_dealer_cards": "it keeps the dealer's cards",
    "automated_shoe": "an automated shoe",
    "reshuffling_shoe": "an approved shoe that reshuffles and counts",
}
ABANDONED = {"lost": "are lost", "default": "are played by the default"}
