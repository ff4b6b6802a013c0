"""The form of a submission: every choice, what the rulebook allows for it and what it asks for.

Nothing about a game is written here: choices, bounds and clauses come out of the rulebook that the
submission names, its values out of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from croupier.documents.round_words import hand_words
from croupier.documents.submission_options import play_words
from croupier.games.registry import Registry
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import Paytable, ProgressiveRule, Rulebook, Wager, WayOfDealing
from croupier.server.desk.changes import OFFER, FieldKind, kind_of, value_at
from croupier.submission.check_limits import has_own_limits
from croupier.submission.draft import either
from croupier.submission.keys import ABANDONED_POLICIES, PAID_FROM, SubmissionKey, key_at
from croupier.submission.labels import ABANDONED, DEVICES

Earned = Mapping[tuple[str, str], str]
"""By wager and paytable: what it earns, in words."""
SOURCES = {"table": "the table inventory", "cage": "the cage"}


class FieldChoice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of a few values: what it is, what it earns, and the clause that allows it."""

    value: str
    label: str
    says: str = ""
    earns: str = ""
    clause: str = ""


class FormField(msgspec.Struct, frozen=True, omit_defaults=True):
    """A key of the submission and its value as it is entered; a list for several choices.

    ``allows`` is what the rulebook leaves to choose, ``asks`` what the choice needs beside it.
    """

    key: str
    label: str
    kind: FieldKind
    value: str | tuple[str, ...] = ""
    allows: str = ""
    asks: str = ""
    clause: str = ""
    choices: tuple[FieldChoice, ...] = ()
    required: bool = False
    most: int = 0


class FormGroup(msgspec.Struct, frozen=True, omit_defaults=True):
    """Fields that belong together; ``key`` is what findings about all of them stand under.

    What is ``optional`` is offered or not by setting that key.
    """

    title: str
    fields: tuple[FormField, ...] = ()
    says: str = ""
    clause: str = ""
    key: str = ""
    optional: bool = False
    offered: bool = True


class FormSection(msgspec.Struct, frozen=True):
    name: str
    title: str
    groups: tuple[FormGroup, ...]


def sections(
    document: Mapping[str, Any], registry: Registry, earned: Earned
) -> Iterator[FormSection]:
    """The form; without a rulebook that is known only the choice of one."""
    named = value_at(document, ("table", "rulebook"))
    book = registry.books.get(str(named))
    yield FormSection("game", "Game and edition", (_game(registry, str(named or "")),))
    if book is not None:
        form = _Form(document, book, earned)
        yield FormSection("filing", "Who files", (form.filing(),))
        yield FormSection("table", "The table", (form.table(),))
        yield FormSection("wagers", "Wagers, paytables, limits", tuple(form.wagers()))
        if book.progressive is not None:
            yield FormSection("progressive", "The Progressive", tuple(form.progressive()))
        yield FormSection("dealing", "Cards and dealing", tuple(form.dealing()))


def field_of(key: str, fields: Sequence[str]) -> str:
    """The field that a finding about a key stands beside: its own, the nearest around it, or the
    first inside it; nothing where the form has none."""
    parts = key.split(".")
    for length in range(len(parts), 0, -1):
        if (around := ".".join(parts[:length])) in fields:
            return around
    return next((field for field in fields if field.startswith(f"{key}.")), "")


def field_keys(form: Sequence[FormSection]) -> list[str]:
    """Every key that a finding can stand beside."""
    return [
        key
        for section in form
        for group in section.groups
        for key in (*(field.key for field in group.fields), group.key)
        if key
    ]


def _shown(value: object) -> str | tuple[str, ...]:
    """A value as a person would type it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return tuple(str(each) for each in value)
    return "" if value is None else str(value)


def _game(registry: Registry, named: str) -> FormGroup:
    choices = tuple(
        FieldChoice(
            book.id,
            f"{book.title} ({book.id})",
            says=f"{registry.game_of(book).name}: {book.edition}",
        )
        for book in registry.books.values()
    )
    field = FormField(
        "table.rulebook",
        "Game and rulebook",
        "choice",
        named,
        allows="Another edition of a game keeps your choices; another game begins with the "
        "submission that comes with it, under your names",
        choices=choices,
        required=True,
    )
    return FormGroup("", (field,))


@dataclass(frozen=True)
class _Form:
    document: Mapping[str, Any]
    book: Rulebook
    earned: Earned

    def field(
        self,
        key: str,
        label: str,
        *,
        allows: str = "",
        asks: str = "",
        clause: str | None = None,
        choices: Sequence[FieldChoice] = (),
        kind: FieldKind | None = None,
        most: int = 0,
    ) -> FormField:
        """A field of the form; its kind and the clause that asks for it are its key's."""
        path = tuple(key.split("."))
        known = key_at(path)
        assert isinstance(known, SubmissionKey), key
        cited = self.book.cite(clause) if clause is not None else known.cited(self.book, path)
        return FormField(
            key,
            label,
            kind or ("choice" if choices else kind_of(known)),
            _shown(value_at(self.document, path)),
            allows,
            asks,
            cited or "",
            tuple(choices),
            known.required,
            most,
        )

    def filing(self) -> FormGroup:
        field = self.field
        fields = (
            field("facility.name", "Facility", allows="Its name or logo stands on the layout"),
            field("facility.operator", "Operator"),
            field("facility.logo", "Logo on the layout", allows="An SVG or PNG file, if you like"),
            field("table.id", "Table", allows="A name that only this table has"),
            field("version", "Version", allows="Yours to number"),
            field(
                "approved",
                "Approved on",
                allows="The day of the approval; until then every page says DRAFT",
            ),
        )
        return FormGroup("", fields)

    def table(self) -> FormGroup:
        rule, field = self.book.table, self.field
        boxes, each = rule.boxes, rule.boxes_a_player
        fields = [
            field(
                "table.boxes",
                "Boxes",
                allows=f"1 to {boxes.count}",
                clause=boxes.clause,
                most=boxes.count,
            ),
            field(
                "table.adjacent_boxes",
                "Boxes one player may take",
                allows="One"
                if each.rule == "one"
                else "One, or as many side by side as you say, up to all",
                clause=each.clause,
                most=boxes.count if each.rule == "adjacent" else 1,
            ),
            *self._electronic(),
            field(
                "table.players_numbers",
                "Players add numbers to the shuffle",
                allows="You say; for an electronic shoe alone",
            ),
            field(
                "table.abandoned_wagers",
                "Wagers of a player who leaves",
                allows="You say which, and post it",
                choices=[FieldChoice(one, f"They {ABANDONED[one]}") for one in ABANDONED_POLICIES],
            ),
            *self._payout_limit(),
        ]
        return FormGroup("", tuple(fields))

    def _electronic(self) -> Iterator[FormField]:
        rule, key = self.book.table.electronic, "table.electronic"
        if rule is not None:
            said = "May be offered, controlled by a dealer"
            yield self.field(key, "Electronic table", allows=said, clause=rule.clause)
        elif value_at(self.document, ("table", "electronic")) is not None:
            yield self.field(key, "Electronic table", allows="This rulebook provides for none")

    def _payout_limit(self) -> Iterator[FormField]:
        rule, key = self.book.payout_limit, "table.payout_limit"
        if rule is not None:
            titles = ", ".join(self.book.wager(name).title for name in rule.wagers)
            yield self.field(
                key,
                "Payout limit a hand",
                allows=f"None, or at least {rule.least} over {titles}; never under what the "
                "minimum wagers can win",
                asks="The layout or a sign has to say it",
                clause=rule.clause,
            )
        elif value_at(self.document, ("table", "payout_limit")) is not None:
            yield self.field(key, "Payout limit a hand", allows="This rulebook knows none")

    def wagers(self) -> Iterator[FormGroup]:
        for wager in self.book.wagers:
            if wager.name != PROGRESSIVE:
                yield self._wager(wager)

    def _wager(self, wager: Wager) -> FormGroup:
        book = self.book
        offered = not wager.optional or self._has("paytables", wager.name)
        must = wager.layout_clause is not None
        says = [self._stake(wager)]
        if wager.optional:
            says += ["the house has to offer it" if must else "may be left out"]
        says += [f"asks for {need}" for need in self._needs(wager)]
        fields = [*self._letters(wager), *self._limits(wager)] if offered else []
        return FormGroup(
            wager.title,
            tuple(fields),
            _sentence("; ".join(part for part in says if part)),
            book.cite(wager.clause),
            f"{OFFER}.{wager.name}",
            wager.optional,
            offered,
        )

    def _stake(self, wager: Wager) -> str:
        book = self.book
        if wager.equals is not None:
            return f"always equal to the {book.wager(wager.equals).title}"
        if wager.beside is not None:
            size = play_words(book.streets_of(wager.name))
            return f"{size} the {book.wager(wager.beside).title}"
        if wager.paid_on is not None:
            title = book.wager(wager.paid_on).title
            return f"no stake of its own: paid on the {title} by the paytable of the rulebook"
        return ""

    def _needs(self, wager: Wager) -> Iterator[str]:
        """What a wager needs: others beside it, and ways of dealing that bring its cards."""
        if not wager.optional:
            return
        titles = [self.book.wager(name).title for name in wager.needs]
        if titles:
            yield f"the {' and the '.join(titles)} beside it"
        for place in self.book.places:
            if place.only_for == wager.name:
                ways = [
                    w.way for w in self.book.dealing if any(s.to == place.name for s in w.steps)
                ]
                yield f"cards of its own, dealt by {either(ways)}"

    def _letters(self, wager: Wager) -> Iterator[FormField]:
        tables = self.book.paytables.get(wager.name, {})
        if tables and wager.paid_on is None:
            yield self.field(
                f"paytables.{wager.name}",
                "Paytable",
                allows=either(list(tables)) if len(tables) > 1 else "The one of the rulebook",
                clause=wager.paytables_clause or wager.clause,
                choices=[self._letter(wager.name, *each) for each in tables.items()],
            )

    def _letter(self, wager: str, letter: str, table: Paytable) -> FieldChoice:
        lines = "; ".join(f"{hand_words(line, table)} {line.odds}" for line in table.lines)
        earns = self.earned.get((wager, letter), "")
        return FieldChoice(letter, letter, lines, earns, self.book.cite(table.clause))

    def _limits(self, wager: Wager) -> Iterator[FormField]:
        if not has_own_limits(wager) or wager.equals is not None:
            return
        key = f"limits.{wager.name}"
        yield self.field(f"{key}.minimum", "Minimum", allows="Yours to set, and to post")
        yield self.field(f"{key}.maximum", "Maximum")
        yield self.field(f"{key}.increment", "In steps of", allows="From the minimum up")

    def progressive(self) -> Iterator[FormGroup]:
        rule, wager = self.book.progressive, self.book.wager(PROGRESSIVE)
        assert rule is not None
        offered = self._has("paytables", PROGRESSIVE)
        yield FormGroup(
            wager.title,
            tuple(self._terms(rule, wager)) if offered else (),
            "May be left out; asks for a system that accepts it, meters, and Envy where the "
            "rulebook has it",
            self.book.cite(wager.clause),
            f"{OFFER}.{PROGRESSIVE}",
            True,
            offered,
        )
        if offered:
            yield from self._meters(rule)

    def _terms(self, rule: ProgressiveRule, wager: Wager) -> Iterator[FormField]:
        field = self.field
        yield from self._letters(wager)
        yield field(
            "progressive.wager",
            "Wager",
            clause=rule.clause,
            choices=[FieldChoice(stake, stake) for stake in rule.stakes],
            allows=f"{either(rule.stakes)}, one size for the table (ruling {rule.ruling})",
        )
        if rule.hands:
            hands = [FieldChoice(name, f"the {cards}") for name, cards in rule.hands.items()]
            said = f"You say which cards make the hand (ruling {rule.hand_ruling})"
            yield field("progressive.hand", "Cards that count", allows=said, choices=hands)
        system = rule.system.clause if rule.system is not None else None
        said = "The system that accepts the wagers and locks them out"
        yield field("progressive.system", "System", allows=said, clause=system)
        if rule.paid_from is not None:
            unsaid = FieldChoice("", f"{SOURCES[PAID_FROM[0]]}, for nothing else is said")
            sources = [unsaid, *(FieldChoice(source, SOURCES[source]) for source in PAID_FROM)]
            yield field("progressive.paid_from", "Awards are paid from", choices=sources)
        yield from self._envy(rule)

    def _envy(self, rule: ProgressiveRule) -> Iterator[FormField]:
        bonus, tables = self.book.envy_bonus, self.book.envy
        if bonus is None or not tables:
            return
        yield self.field(
            f"paytables.{ENVY}",
            "Envy paytable",
            allows="Every Progressive wager is entitled to Envy",
            clause=bonus.paytables_clause,
            choices=[FieldChoice(letter, letter) for letter in tables],
        )
        if rule.holder_must_wager is not None:
            yield self.field(
                "progressive.holder_must_wager",
                "The holder of an Envy hand",
                allows="You say which",
                clause=rule.holder_must_wager.clause,
                choices=[
                    FieldChoice("true", "must have made the Progressive wager"),
                    FieldChoice("false", "need not have made the Progressive wager"),
                ],
            )

    def _meters(self, rule: ProgressiveRule) -> Iterator[FormGroup]:
        letter = value_at(self.document, ("paytables", PROGRESSIVE))
        table = self.book.paytables.get(PROGRESSIVE, {}).get(str(letter))
        for meter in table.meters if table is not None else ():
            key, least = f"progressive.meters.{meter.name}", f"At least {meter.least}"
            fields = (
                self.field(f"{key}.initial", "Starts at", allows=least, clause=meter.clause),
                self.field(f"{key}.reset", "Resets to", allows=least, clause=meter.clause),
                self.field(f"{key}.rate", "Grows by", allows="A share of each wager, like 4%"),
                self.field(f"{key}.limit", "Up to", allows="No limit, or one above both"),
            )
            yield FormGroup(f"{meter.name.capitalize()} meter", fields)

    def dealing(self) -> Iterator[FormGroup]:
        ways = self.book.dealing
        choices = [self._way(way) for way in ways]
        yield FormGroup(
            "",
            (
                self.field(
                    "dealing.method",
                    "Way of dealing",
                    choices=choices,
                    allows=either([way.way for way in ways]),
                ),
                self.field(
                    "dealing.fallbacks",
                    "When a device is out of order",
                    choices=choices,
                    kind="choices",
                    allows="Other ways of this rulebook; without one the table closes",
                ),
            ),
        )
        said = "What stands at the table; a way of dealing asks for its device"
        fields = [self.field(f"devices.{name}", _sentence(DEVICES[name])) for name in DEVICES]
        yield FormGroup("Devices", tuple(fields), said)
        yield FormGroup("Decks", tuple(self._decks()))

    def _way(self, way: WayOfDealing) -> FieldChoice:
        needs = either([DEVICES[device] for device in way.devices]) if way.devices else ""
        asks = f"asks for {needs}" if needs else "asks for no device"
        return FieldChoice(way.way, way.title, says=asks, clause=self.book.cite(way.clause))

    def _decks(self) -> Iterator[FormField]:
        rule = self.book.deck
        most = rule.decks_with_shuffler
        yield self.field(
            "decks.count",
            "Decks",
            allows=f"{rule.decks.count}, or {most.count} with a shuffler",
            clause=most.clause,
            most=most.count,
        )
        yield self.field(
            "decks.backs",
            "Colors of their backs",
            allows="One color a deck, with commas: red, blue",
            clause=self.book.procedure.colors_clause,
        )

    def _has(self, *path: str) -> bool:
        return value_at(self.document, path) is not None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
