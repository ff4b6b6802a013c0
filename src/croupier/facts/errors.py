"""Ways of saying no, kept apart: "I cannot read this", "this is not allowed", "not now"."""

from __future__ import annotations


class Unreadable(ValueError):
    """What was written cannot be understood; the sentence says where and what would be right."""


class Refusal(Exception):
    """What was written can be understood, and a rule forbids it; the clause says which."""

    def __init__(self, sentence: str, clause: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.clause = clause

    def __str__(self) -> str:
        return f"{self.sentence} - {self.clause}"


class Unavailable(Exception):
    """What is needed cannot be had now; the sentence says why, and nothing was lost."""


def quoted(text: object, most: int = 40) -> str:
    """What somebody wrote, fit to stand in one sentence however long it was."""
    whole = str(text)
    shown = whole[:most]
    if not shown.isprintable():
        shown = shown.encode("unicode_escape").decode()[:most]
    if len(whole) > most or len(shown) >= most > len(whole):
        shown = f"{shown}... ({len(whole):,} characters)"
    return f'"{shown}"'
