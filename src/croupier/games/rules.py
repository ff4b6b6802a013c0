"""Rules: what one table has bound of its rulebook. Everything that decides money and order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.money import Cents, cents, dollars, money
from croupier.facts.names import known_entry, known_name, known_names
from croupier.facts.odds import Share, Sum
from croupier.games.game import Game, refuse_unsaid
from croupier.rulebook.book import Paytable, ProgressiveRule, Rulebook, Wager

T = TypeVar("T")
PROGRESSIVE, ENVY = "progressive", "envy"
MOST_LINES = 100


@dataclass(frozen=True)
class ProgressiveTerms:
    """What a submission says of its progressive: stake, cards that count, holders, resets."""

    stake_cents: Cents
    hand: str | None = None
    holder_must_wager: bool = False
    resets: tuple[tuple[str, Cents], ...] = ()

    def reset_of(self, meter: str) -> Cents | None:
        return dict(self.resets).get(meter)


@dataclass(frozen=True)
class Rules:
    """Frozen and hashable; ``letters`` names the chosen paytables, ``paytables`` holds them."""

    game: Game
    book: Rulebook
    letters: tuple[tuple[str, str], ...]
    paytables: tuple[tuple[str, Paytable], ...]
    progressive: ProgressiveTerms | None = None
    envy: Paytable | None = None
    payout_limit_cents: Cents | None = None

    def paytable(self, wager: str) -> Paytable | None:
        return dict(self.paytables).get(wager)

    def offers(self, wager: str) -> bool:
        """Optional wagers are offered by choosing a paytable for them; the others always are."""
        return not self.book.wager(wager).optional or self.paytable(wager) is not None

    def judged_by(self, wager: str) -> str:
        """What a wager looks at: its paytable may say, a submission may choose, or the book."""
        table = self.paytable(wager)
        if table is not None and table.judged_by is not None:
            return table.judged_by
        return self.chosen_hand(self.book.wager(wager).judged_by)

    def chosen_hand(self, judged_by: str) -> str:
        terms, book = self.progressive, self.book.progressive
        if judged_by == "progressive hand" and book is not None and book.hands:
            chosen = terms.hand if terms is not None and terms.hand else book.hand_when_silent
            return book.hands[chosen or ""]
        return judged_by


def bind(
    game: Game,
    book: Rulebook,
    letters: Mapping[str, str],
    *,
    progressive: ProgressiveTerms | None = None,
    payout_limit_cents: Cents | None = None,
) -> Rules:
    """Choose paytables and terms from a rulebook, or refuse with the clause that forbids it."""
    paytables = _chosen_paytables(book, letters)
    envy = _chosen_envy(book, letters, progressive)
    if progressive is not None:
        _check_progressive(book, paytables.get(PROGRESSIVE), progressive)
    if payout_limit_cents is not None:
        _check_payout_limit(book, payout_limit_cents)
    return Rules(
        game=game,
        book=book,
        letters=tuple(sorted(letters.items())),
        paytables=tuple(paytables.items()),
        progressive=progressive,
        envy=envy,
        payout_limit_cents=payout_limit_cents,
    )


def first_letters(book: Rulebook) -> dict[str, str]:
    """The first paytable of each wager that has to have one: what is meant where none is named."""
    return {
        wager.name: next(iter(book.paytables[wager.name]))
        for wager in book.wagers
        if wager.name in book.paytables and not wager.optional and wager.paid_on is None
    }


def with_paytable(rules: Rules, wager: str, name: str, table: Paytable) -> Rules:
    """The same Rules with this paytable for one wager, a designer's own or one of the book."""
    known = [w.name for w in rules.book.wagers if w.name in rules.book.paytables]
    _refuse_without_paytable(rules.book, [wager], known)
    refuse_unsaid(rules.game, table, name)
    for sentence in _faults(rules, rules.book.wager(wager), table):
        clause = rules.book.wager(wager).paytables_clause or rules.book.refusals.wagers
        raise Refusal(f"paytable {name} of {wager}: {sentence}", rules.book.cite(clause))
    return replace(
        rules,
        letters=tuple(sorted({**dict(rules.letters), wager: name}.items())),
        paytables=tuple({**dict(rules.paytables), wager: table}.items()),
    )


def refuse_strange_amounts(
    rules: Rules, stakes: Mapping[str, Cents], meters: Mapping[str, Cents]
) -> None:
    """An amount for what these Rules do not have would change nothing, and nobody would see it."""
    book = rules.book
    bound = [table for _, table in rules.paytables]
    tables = [*bound, *(table for by in book.paytables.values() for table in by.values())]
    side = [wager.name for wager in book.wagers if wager.optional]
    standing = dict.fromkeys(meter.name for table in tables for meter in table.meters)
    known_names(stakes, side, "side wager", where=book.id)
    known_names(meters, standing, "meter", where=book.id)
    refuse_no_stake(stakes)
    rule, staked = book.progressive, stakes.get(PROGRESSIVE)
    if rule is not None and staked is not None and staked not in map(cents, rule.stakes):
        sentence = f"a Progressive wager is {' or '.join(rule.stakes)}; {dollars(staked)} is none"
        raise Refusal(sentence, book.cite(rule.clause))


def refuse_no_stake(stakes: Mapping[str, Cents]) -> None:
    """What is won for each dollar staked has no value where nothing is staked."""
    for name, stake in stakes.items():
        if stake <= 0:
            raise Unreadable(f"nothing is staked on {name}; write an amount over $0")


def _faults(rules: Rules, wager: Wager, table: Paytable) -> Iterator[str]:
    """What is wrong with a paytable for this wager, though every line of it can be read."""
    phrases = [line.phrase for line in table.lines]
    if len(phrases) > MOST_LINES:
        yield f"it has {len(phrases)} lines; {MOST_LINES} is the most that can be posted"
    for phrase in phrases:
        if phrases.count(phrase) > 1:
            yield f"{quoted(phrase)} stands in it twice, and the second is never paid"
    if "anything else" in phrases[:-1]:
        yield 'what stands below "anything else" is never paid; write it last'
    if table.judged_by is not None and table.judged_by not in rules.game.looks:
        yield f"nothing is judged by {quoted(table.judged_by)}; {', '.join(rules.game.looks)} are"
    if wager.name != PROGRESSIVE and any(isinstance(line.odds, Share) for line in table.lines):
        yield "only the Progressive pays from a meter"
    if not wager.optional and any(isinstance(line.odds, Sum) for line in table.lines):
        yield f"{wager.title} is paid by odds, not by a sum of dollars"


def _chosen_paytables(book: Rulebook, letters: Mapping[str, str]) -> dict[str, Paytable]:
    chosen = {}
    for wager in book.wagers:
        tables = book.paytables.get(wager.name, {})
        if wager.paid_on is not None:
            chosen[wager.name] = next(iter(tables.values()))
        elif wager.name in letters and tables:
            clause = wager.paytables_clause or wager.clause
            chosen[wager.name] = _pick(book, wager.title, tables, letters[wager.name], clause)
        elif tables and not wager.optional:
            raise Refusal(
                f"The {wager.title} paytable is not chosen; choose {_either(tables)}",
                book.cite(wager.paytables_clause or wager.clause),
            )
    _refuse_unknown(book, letters)
    return chosen


def _refuse_unknown(book: Rulebook, letters: Mapping[str, str]) -> None:
    with_tables = [w.name for w in book.wagers if w.name in book.paytables and not w.paid_on]
    known = with_tables + ([ENVY] if book.envy else [])
    _refuse_without_paytable(book, letters, known)


def _refuse_without_paytable(book: Rulebook, names: Iterable[str], known: list[str]) -> None:
    clause = book.cite(book.refusals.wagers)
    known_names(names, known, "paytable for", where=book.id, clause=clause)


def _chosen_envy(
    book: Rulebook, letters: Mapping[str, str], terms: ProgressiveTerms | None
) -> Paytable | None:
    if ENVY not in letters or book.envy_bonus is None:
        return None
    if PROGRESSIVE not in letters:
        raise Refusal(
            "Envy is chosen without a Progressive paytable; Envy goes only to Progressive wagers",
            book.cite(book.envy_bonus.clause),
        )
    clause = book.envy_bonus.paytables_clause
    by_stake = _pick(book, "Envy", book.envy, letters[ENVY], clause)
    if terms is None:
        return None
    return by_stake.get(money(terms.stake_cents))


def _pick(book: Rulebook, title: str, tables: Mapping[str, T], letter: str, clause: str) -> T:
    return known_entry(letter, tables, f"{title} paytable", where=book.id, clause=book.cite(clause))


def _either(letters: Mapping[str, object]) -> str:
    *most, last = letters
    return f"{', '.join(most)} or {last}" if most else last


def check_terms(rules: Rules, terms: ProgressiveTerms) -> None:
    """Refuse progressive terms that the rulebook forbids."""
    _check_progressive(rules.book, rules.paytable(PROGRESSIVE), terms)


def _check_progressive(book: Rulebook, table: Paytable | None, terms: ProgressiveTerms) -> None:
    rule = book.progressive
    if rule is None or table is None:
        raise Refusal(
            "Progressive terms are given, but no Progressive paytable is chosen",
            book.cite(book.wager(PROGRESSIVE).clause if rule else book.refusals.wagers),
        )
    if terms.stake_cents not in [cents(stake) for stake in rule.stakes]:
        raise Refusal(
            f"A Progressive wager is {_either(dict.fromkeys(rule.stakes))}, "
            f"not {dollars(terms.stake_cents)}",
            book.cite(rule.clause),
        )
    _check_hand(book, rule, terms)
    if terms.holder_must_wager and rule.holder_must_wager is None and book.envy_bonus:
        raise Refusal(
            "This rulebook does not let a submission ask the Envy holder for a Progressive wager",
            book.cite(book.envy_bonus.clause),
        )
    _check_resets(book, rule, table, terms)


def _check_hand(book: Rulebook, rule: ProgressiveRule, terms: ProgressiveTerms) -> None:
    if terms.hand is not None:
        clause = book.cite(rule.clause)
        known_name(terms.hand, rule.hands, "Progressive hand", where=book.id, clause=clause)


def _check_resets(
    book: Rulebook, rule: ProgressiveRule, table: Paytable, terms: ProgressiveTerms
) -> None:
    meters = {meter.name: meter for meter in table.meters}
    for name, reset_cents in terms.resets:
        known_name(name, meters, "meter", where="the Progressive", clause=book.cite(table.clause))
        if reset_cents < cents(meters[name].least):
            raise Refusal(
                f"The {name} meter resets to {dollars(reset_cents)}; "
                f"it must be at least {meters[name].least}",
                book.cite(meters[name].clause),
            )


def _check_payout_limit(book: Rulebook, limit_cents: Cents) -> None:
    rule = book.payout_limit
    if rule is None:
        raise Refusal(
            f"{book.id} has no payout limit; leave payout_limit out",
            book.cite(book.refusals.no_such_option),
        )
    if limit_cents < cents(rule.least):
        raise Refusal(
            f"A payout limit of {dollars(limit_cents)} is under the least allowed, {rule.least}",
            book.cite(rule.least_clause),
        )
