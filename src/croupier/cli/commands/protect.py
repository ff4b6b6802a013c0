"""``croupier protect``: what a card seen too early is worth."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.cli.book_choice import AS_PRINTED, VariantOption, chosen_book
from croupier.cli.commands.solve import chosen_rules, progress_bar, refuse_limit
from croupier.cli.files import write_file
from croupier.cli.output_formats import AsCsv, AsJson, print_csv, print_json
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.protection import protection_text, shares_report, trials_report
from croupier.documents.filing import Filing
from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.extras import DOCUMENTS, KERNELS, require
from croupier.facts.errors import Unreadable
from croupier.games.registry import Registry
from croupier.games.rules import Rules
from croupier.protection.knowledge import knowledge

if TYPE_CHECKING:
    from croupier.protection.worth import KnowledgeWorth


@dataclass(frozen=True)
class Sharing:
    """Boxes that show each other their hands, in the place of --knows.

    Parameters
    ----------
    shares
        In the place of --knows: so many boxes show each other their hands.
    within
        Of --shares: draw hands until the standard error of the gain a box is so many Antes; without
        it two boxes at Ultimate Texas Hold'em are counted exactly, and others drawn to 0.001.
    seed
        Of --shares: another number draws other hands.
    """

    shares: int | None = None
    within: float | None = None
    seed: int = 1


@dataclass(frozen=True)
class Screened:
    """Simulated logs, in the place of --knows.

    Parameters
    ----------
    logs
        In the place of --knows: play so many logs of each kind of player, honest ones and ones who
        know, and tell how many of them croupier audit --screen flags.
    rounds
        Of --logs: how long each log is at most.
    """

    logs: int | None = None
    rounds: int = 400


@dataclass(frozen=True)
class WrittenReport:
    """Files to be written.

    Parameters
    ----------
    html
        Write a report for the game-protection officer as a page.
    pdf
        Write that report to be printed.
    """

    html: Path | None = None
    pdf: Path | None = None


NOT_SHARED, NOT_SCREENED, NOT_WRITTEN = Sharing(), Screened(), WrittenReport()


def protect(
    game: str,
    /,
    *,
    knows: tuple[str, ...] = (),
    sharing: Annotated[Sharing, Parameter(name="*")] = NOT_SHARED,
    screened: Annotated[Screened, Parameter(name="*")] = NOT_SCREENED,
    rulebook: str | None = None,
    submission: Path | None = None,
    paytable: tuple[str, ...] = (),
    variant: VariantOption = AS_PRINTED,
    before_wagers: Annotated[bool, Parameter(negative="")] = False,
    report: Annotated[WrittenReport, Parameter(name="*")] = NOT_WRITTEN,
    json_: AsJson = False,
    csv_: AsCsv = False,
    cache: bool = True,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Tell what cards known too early are worth, exactly.

    The cards are known before the first decision and from then on; the player is perfect.

    For example:

        croupier protect uth --knows dealer+flop --paytable blind=B --csv

        croupier protect uth --knows turn-or-river --before-wagers

        croupier protect uth --shares 3 --within 0.002

        croupier protect uth --logs 200 --rounds 300

        croupier protect uth --submission uth.toml --knows dealer --knows flop --pdf officer.pdf

    Parameters
    ----------
    game
        The game by its id, such as uth or four-card; another word is answered with all of them.
    knows
        Which cards: dealer, dealers, flop, turn-or-river, burn, dealer+flop, dealer+turn-or-river
        or dealer+burn at Ultimate Texas Hold'em; dealer, dealer2 or burn at Four Card Poker; dealer
        or dealer2 at a game of one decision. Write the option once for each.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission whose paytables are the ones played, and whose limits a report takes.
    paytable
        WAGER=LETTER picks a paytable of the rulebook, WAGER=FILE.toml one of your own.
    before_wagers
        The cards are known when wagers are made: each side wager is made only where it is worth
        something, the others always.
    json_
        Print one JSON document.
    csv_
        Print one line of CSV for each hand and ranks of known cards.
    cache
        Take the answer that was counted before, if nothing has changed; --no-cache counts now.
    """
    choice = chosen_book(registry, game, rulebook, submission, variant)
    rules = chosen_rules(registry, choice, paytable)
    refuse_limit(rules, "here: values are for each Ante, whatever its size")
    _refuse_together(knows, sharing, screened, before_wagers or csv_ or report != NOT_WRITTEN)
    for name in knows:
        knowledge(rules, name)  # a word nobody knows is refused before the compiler is loaded
    require(KERNELS)
    if screened.logs is not None:
        return _screen(rules, screened.logs, screened.rounds, as_json=json_)
    if not knows:
        return _share(rules, sharing, afresh=not cache, as_json=json_)
    return _know(Filing(choice.submission, rules), knows, before_wagers, report, json_, csv_, cache)


def _refuse_together(
    knows: tuple[str, ...], sharing: Sharing, screened: Screened, asked_of_knows: bool
) -> None:
    asked = [bool(knows), sharing.shares is not None, screened.logs is not None]
    if asked.count(True) != 1:
        raise Unreadable("name what is known with --knows, or who shares with --shares, or --logs")
    if sharing.shares is None and sharing != NOT_SHARED:
        raise Unreadable("--within and --seed are for --shares; --knows counts everything")
    if screened.logs is None and screened != NOT_SCREENED:
        raise Unreadable("--rounds is for --logs")
    if not knows and asked_of_knows:
        raise Unreadable("--before-wagers, --csv, --html and --pdf are for --knows")


def _know(
    filing: Filing,
    knows: tuple[str, ...],
    before_wagers: bool,
    report: WrittenReport,
    as_json: bool,
    as_csv: bool,
    cache: bool,
) -> int:
    if as_csv and len(knows) > 1:
        raise Unreadable("--csv prints the lines of one --knows")
    if report.pdf is not None:
        require(DOCUMENTS)
    from croupier.protection.protect import protect as worth_of

    refuse_base(filing.rules)
    refuse_sides(filing.rules)
    with progress_bar() as progress:
        worths = [
            worth_of(filing.rules, name, progress, before_wagers=before_wagers, afresh=not cache)
            for name in knows
        ]
    if report != NOT_WRITTEN:
        _write(filing, worths, report)
    if as_json:
        told = [worth.document() for worth in worths]
        print_json(told[0] if len(told) == 1 else told)
    elif as_csv:
        print_csv(worths[0].to_csv())
    else:
        for worth in worths:
            show(protection_text(filing.book, worth), Screen())
    return 0


def _write(filing: Filing, worths: list[KnowledgeWorth], report: WrittenReport) -> None:
    from croupier.documents.html import page
    from croupier.documents.pdf import typeset
    from croupier.documents.printable_text import in_letters
    from croupier.documents.protection_report import protection_report

    document = protection_report(filing, worths)
    if report.html is not None:
        write_file(report.html, page(document).encode())
    if report.pdf is not None:
        write_file(report.pdf, typeset(in_letters(document)))


def _share(rules: Rules, sharing: Sharing, *, afresh: bool, as_json: bool) -> int:
    from croupier.protection.shares import refuse_shares, shared

    refuse_shares(rules, sharing.shares or 0, sharing.within)
    with progress_bar() as progress:
        asked = (sharing.shares or 0, sharing.within, sharing.seed)
        worth = shared(rules, *asked, progress, afresh=afresh)
    if as_json:
        print_json(worth.document())
    else:
        show(shares_report(rules.book, worth), Screen())
    return 0


def _screen(rules: Rules, logs: int, rounds: int, *, as_json: bool) -> int:
    from croupier.protection.trials import screen_trials

    with progress_bar() as progress:
        trials = screen_trials(rules, logs, rounds, progress=progress)
    if as_json:
        told = {"rounds": rounds, "rulebook": rules.book.id}
        print_json([{**asdict(trial), **told} for trial in trials])
    else:
        show(trials_report(rules, trials, rounds), Screen())
    return 0
