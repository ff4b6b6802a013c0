"""``croupier solve``: the exact value of a game and of every wager in its rulebook."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.cli.book_choice import (
    AS_PRINTED,
    BookChoice,
    VariantOption,
    chosen_book,
    located,
    own_text,
)
from croupier.cli.output_formats import AsCsv, AsJson, print_csv, print_json
from croupier.cli.progress_bar import counting
from croupier.cli.screen import Screen
from croupier.cli.terminal import show
from croupier.cli.text.solution import solution_report
from croupier.exact import solution_cache
from croupier.exact.assumptions import refuse_base, refuse_sides
from croupier.exact.base_game import LimitedAnte
from croupier.exact.limited_ante import limited_ante
from croupier.exact.solution import Solution
from croupier.exact.solution_cache import StakesInAntes, kept
from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.money import Cents, cents
from croupier.facts.odds import Share, Sum
from croupier.facts.progress import Progress
from croupier.games.registry import Registry
from croupier.games.rules import (
    Rules,
    bind,
    first_letters,
    refuse_no_stake,
    refuse_strange_amounts,
    with_paytable,
)
from croupier.games.variants import varied_limit_cents
from croupier.rulebook.book import Paytable, Rulebook
from croupier.rulebook.loader import read_paytable
from croupier.submission.submission import Submission

COUNTING = "croupier: counting every deal (the first run also compiles)"


def solve(
    game: str,
    /,
    *,
    rulebook: str | None = None,
    submission: Path | None = None,
    paytable: tuple[str, ...] = (),
    stake: tuple[str, ...] = (),
    meter: tuple[str, ...] = (),
    ante: str | None = None,
    wager: tuple[str, ...] = (),
    variant: VariantOption = AS_PRINTED,
    json_: AsJson = False,
    csv_: AsCsv = False,
    all_: Annotated[bool, Parameter(name="--all", negative="")] = False,
    cache: bool = True,
    registry: Annotated[Registry, Parameter(parse=False)],
) -> int:
    """Solve a game exactly: value, risk, strategy, side wagers.

    Without options: the newest rulebook, its first paytables in the base game, every side wager.

    For example:

        croupier solve uth

        croupier solve uth --paytable blind=B --paytable trips=my-trips.toml

        croupier solve uth --stake six_card_bonus=5 --ante 500 --all

        croupier solve uth --vary qualifier=none --vary river=1,2

    Parameters
    ----------
    game
        The game by its id, such as uth or four-card; another word is answered with all of them.
    rulebook
        The rulebook; without it the newest one of the game.
    submission
        A rules submission: its paytables, its Progressive wager and its resets are the ones solved.
    paytable
        WAGER=LETTER picks a paytable of the rulebook, WAGER=FILE.toml one of your own.
    stake
        WAGER=AMOUNT, the stake of a side wager that pays dollars or from a meter; otherwise $1.
    meter
        NAME=AMOUNT, what stands on a meter; otherwise what it is reset to.
    ante
        The Ante in dollars: count under the payout limit, with Trips where --stake names it.
    wager
        WAGER=AMOUNT beside the --ante, or $1: a wager that depends on play, played for the best of
        both together. No payout limit counts then.
    json_
        Print one JSON document.
    csv_
        Print every wager and paytable as one line of CSV.
    all_
        Print results, risk, meters and Envy as well.
    cache
        Take the answer that is shipped or was counted before; --no-cache counts now.
    """
    _refuse_all(all_ and (json_ or csv_))
    stakes, meters = amounts(stake, "--stake"), amounts(meter, "--meter")
    choice = chosen_book(registry, game, rulebook, submission, variant)
    rules, filed = chosen_rules(registry, choice, paytable), choice.filed
    refuse_strange_amounts(rules, stakes, meters)
    beside = _beside(rules, ante, wager)
    limited = _limited(rules, filed, None if beside else ante, stakes)
    found = solved(rules, cache, limited, beside).assuming(stakes, meters)
    _print(rules.book, found, filed, as_json=json_, as_csv=csv_, whole=all_)
    return 0


def _print(
    book: Rulebook,
    solution: Solution,
    filed: Submission | None,
    *,
    as_json: bool,
    as_csv: bool,
    whole: bool,
) -> None:
    if as_json:
        print_json(solution.document())
    elif as_csv:
        print_csv(solution.to_csv())
    else:
        offer = filed.progressive if filed is not None else None
        show(solution_report(book, solution, offer, whole=whole), Screen())


def _refuse_all(of_a_document: bool) -> None:
    if of_a_document:
        raise Unreadable("--all is for what is printed to be read; leave it out here")


def _limited(
    rules: Rules, filed: Submission | None, ante: str | None, stakes: dict[str, Cents]
) -> LimitedAnte | None:
    """The Ante asked for, at the table of the submission or else of the shipped one."""
    limited = None
    if ante is None:
        refuse_limit(rules, "without an Ante in dollars; name it with --ante, and no --wager")
    else:
        limited = limited_ante(rules, filed, _ante_cents(ante), stakes)
    _refuse_idle_stakes(rules, stakes, limited)
    return limited


def _refuse_idle_stakes(
    rules: Rules, stakes: dict[str, Cents], limited: LimitedAnte | None
) -> None:
    """Where only odds are paid, an edge is the same at every stake, but for the payout limit."""
    under_limit = dict(limited.beside) if limited is not None else {}
    for name in stakes:
        bound = rules.paytable(name)
        tables = [bound] if bound is not None else [*rules.book.paytables.get(name, {}).values()]
        if name not in under_limit and not any(_pays_by_stake(table) for table in tables):
            raise Unreadable(
                f"{name} pays by odds alone here, so its stake changes nothing; leave --stake "
                f"{name} out, or name an --ante where the payout limit counts it"
            )


def _pays_by_stake(table: Paytable) -> bool:
    return any(isinstance(line.odds, Sum | Share) for line in table.lines)


def _ante_cents(ante: str) -> Cents:
    try:
        return in_dollars(ante)
    except Unreadable:
        raise Unreadable(f"{quoted(ante)} is no Ante; write it in dollars, like 500") from None


def _beside(rules: Rules, ante: str | None, wagers: tuple[str, ...]) -> StakesInAntes:
    """The stakes of wagers that depend on play, in Antes; any other would change nothing."""
    staked = amounts(wagers, "--wager")
    refuse_strange_amounts(rules, staked, {})
    ante_cents = _ante_cents(ante) if ante is not None else Cents(100)
    refuse_no_stake({"ante": ante_cents})
    for name in staked:
        if not rules.book.wager(name).depends_on_play:
            raise Unreadable(
                f"{name} does not depend on how the base game is played under {rules.book.id}, so "
                "its stake changes nothing; leave --wager out"
            )
    return tuple((name, Fraction(stake, ante_cents)) for name, stake in sorted(staked.items()))


def solved(
    rules: Rules,
    use_cache: bool = True,
    limited: LimitedAnte | None = None,
    beside: StakesInAntes = (),
) -> Solution:
    """The solution from an earlier run, or computed now with progress on standard error."""
    found = kept(rules, limited, beside) if use_cache else None
    if found is not None:
        return found
    refuse_base(rules)
    refuse_sides(rules)
    with progress_bar() as progress:
        return solution_cache.solved(
            rules, progress, limited=limited, beside=beside, afresh=not use_cache
        )


def chosen_rules(registry: Registry, choice: BookChoice, paytables: tuple[str, ...]) -> Rules:
    """The Rules asked for on the command line; a base game needs its paytables chosen: A."""
    book, submitted = choice
    filed = submitted.rules(registry) if submitted is not None else None
    letters = dict(filed.letters) if filed is not None else first_letters(book)
    own: dict[str, Path] = {}
    for wager, letter in _choices(paytables).items():
        if letter.endswith(".toml"):
            own[wager] = Path(letter)
        else:
            letters[wager] = letter
    limit = varied_limit_cents(book)
    rules = bind(
        registry.game_of(book),
        book,
        letters,
        progressive=filed.progressive if filed is not None else None,
        payout_limit_cents=limit or (filed.payout_limit_cents if filed is not None else None),
    )
    for wager, path in own.items():
        rules = _with_own(rules, wager, path)
    return rules


def refuse_limit(rules: Rules, where: str) -> None:
    """A payout limit that was varied and changes nothing is refused, not passed over."""
    if varied_limit_cents(rules.book) is not None:
        raise Unreadable(f"payout_limit changes nothing {where}")


def _choices(paytables: tuple[str, ...]) -> dict[str, str]:
    """By wager the letter or file that was chosen for it, once."""
    chosen: dict[str, str] = {}
    for choice in paytables:
        wager, equals, letter = choice.partition("=")
        if not equals or not wager or not letter:
            raise Unreadable(f"{quoted(choice)} chooses no paytable; write it like blind=B")
        if wager in chosen:
            raise Unreadable(f"{quoted(wager)} is named twice; write one --paytable for it")
        chosen[wager] = letter
    return chosen


def _with_own(rules: Rules, wager: str, path: Path) -> Rules:
    """With the paytable of a file, by a name that no letter of the book has."""
    text = own_text(path)
    known = rules.book.paytables.get(wager, {})
    name = path.name if path.stem in known else path.stem
    try:
        return with_paytable(rules, wager, name, read_paytable(text, path.name))
    except (Unreadable, Refusal) as error:
        raise located(path, text, error) from None


def amounts(written: tuple[str, ...], option: str) -> dict[str, Cents]:
    """Every NAME=AMOUNT of an option; a name that stands there twice is refused."""
    found: dict[str, Cents] = {}
    for name, value in map(_amount, written):
        if name in found:
            raise Unreadable(f"{quoted(name)} is named twice; write one {option} for it")
        found[name] = value
    return found


def _amount(written: str) -> tuple[str, Cents]:
    """NAME=AMOUNT as people type it, with or without a dollar sign (shells eat those)."""
    name, equals, dollars = written.partition("=")
    if not equals or not name:
        raise Unreadable(f"{quoted(written)} names no amount; write it like ante=100")
    return name, in_dollars(dollars)


def in_dollars(written: str) -> Cents:
    """An amount with or without its dollar sign."""
    return cents(written if written.startswith("$") else f"${written}")


@contextmanager
def progress_bar(said: str = COUNTING) -> Iterator[Progress]:
    """A bar on standard error; it says what is being done. Without a terminal, one line.

    The line waits for the first that is done: who lacks a package is told that, and nothing else.
    """
    waiting = [said]

    def tell(what: str, done: float) -> None:
        if waiting:
            print(waiting.pop(), file=sys.stderr)

    if not sys.stderr.isatty():
        yield tell
        return
    with counting("getting ready (the first run compiles)") as bar:
        yield bar.doing
