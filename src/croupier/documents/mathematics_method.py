"""How the mathematics report was made, and how anybody makes every figure of it again."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

from croupier.documents.blocks import AnyBlock, CommandLine, Fact, Facts, Heading, Prose
from croupier.documents.mathematics_figures import Figures
from croupier.exact.solution_file import code_digest
from croupier.exact.solve import SOLVERS
from croupier.facts.money import dollars
from croupier.rulebook.book import Wager

FILE = "submission.toml"
PACKAGES = ("croupier", "numba", "numpy", "typst", "altair")
METHOD = (
    "All deals are counted, not sampled: {counted}. Counts are whole numbers and values are "
    "fractions of them; decimals appear only in print, rounded to the digits shown. What a hand "
    "pays is read from the same Rules that settle a round at the table.",
    "The counting code is compared with plain code that ranks and settles hands one by one, over "
    "all states where that can be done and over random ones elsewhere.",
    "Assumed: one deck, every order equally likely; a player sees the cards of one box only and "
    "makes no use of the others; payouts are exact, while a table rounds up to the next cent.",
)
BY_KINDS = (
    "boards and hands that differ only by names of suits are counted once and weighed by how many "
    "they stand for"
)
ONE_BY_ONE = "every hand that a box can hold is dealt out, against every hand left to the dealer"
LIMITED = (
    "The payout limit is part of the values by Ante and of the exposure. All other values are "
    "those of an Ante that it never cuts; it can only raise the edge."
)
CHANGE = (
    "A change of any rule, paytable, Progressive stake or reset makes another hash of the Rules; a "
    "change of anything else that was submitted, such as a limit, the number of boxes or a meter's "
    "rate of growth, another hash of the submission. Figures belong to the two hashes on their "
    "page: a change asks for a new report, and actual results are compared with it."
)


def method(figures: Figures) -> Iterator[AnyBlock]:
    imprint = figures.filing.imprint("")
    yield Heading("Method")
    counted = BY_KINDS if figures.filing.rules.game.id in SOLVERS else ONE_BY_ONE
    yield from (Prose(paragraph.replace("{counted}", counted)) for paragraph in METHOD)
    if figures.filing.rules.payout_limit_cents is not None:
        yield Prose(LIMITED)
    yield Heading("To get these figures again")
    for told, command in commands(figures):
        yield Prose(told)
        yield CommandLine(command)
    yield Heading("Versions and hashes")
    yield Facts(
        (
            Fact("Rules, SHA-256", imprint.digest),
            Fact("Submission, SHA-256", imprint.submission),
            Fact("Counting code, SHA-256", code_digest()),
            *(Fact(package, version(package)) for package in PACKAGES),
        )
    )
    yield Prose(CHANGE)


def commands(figures: Figures) -> Iterator[tuple[str, str]]:
    """What to type in the folder of the documents, and what it answers."""
    rules = figures.filing.rules
    game, book = rules.game.id, rules.book.id
    yield (
        "Base game, distribution, every side wager and paytable, the Progressive and Envy:",
        f"croupier solve {game} --submission {FILE} --json --no-cache",
    )
    if figures.by_ante is not None:
        largest = dollars(figures.by_ante.largest.ante_cents).removesuffix(".00").lstrip("$")
        yield (
            "One Ante under the payout limit, here the largest:",
            f"croupier solve {game} --submission {FILE} --ante {largest} --json --no-cache",
        )
    if figures.simple is not None:
        base = " ".join(
            f"--paytable {w.name}={dict(rules.letters)[w.name]}" for w in _chosen(figures)
        )
        yield (
            "The strategy to remember and its cost:",
            f"croupier strategy {game}-simple --rulebook {book} {base} --json".replace("  ", " "),
        )
    yield "Exposure:", f"croupier exposure {game} --submission {FILE} --json"
    yield "The hashes of the Rules and of the submission:", f"sha256sum rules.json {FILE}"


def _chosen(figures: Figures) -> list[Wager]:
    letters = dict(figures.filing.rules.letters)
    return [w for w in figures.filing.offered() if not w.optional and w.name in letters]
