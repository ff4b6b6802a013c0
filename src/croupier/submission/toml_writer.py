"""A submission as an operator would write it: what the check reads back as the same one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from croupier.facts.money import Cents, dollars
from croupier.facts.toml_text import toml_quote
from croupier.submission.submission import MeterOffer, ProgressiveOffer, Submission, WagerLimit
from croupier.submission.value_kinds import rate_text


def write_submission(submission: Submission) -> str:
    return "\n".join(_lines(submission)).lstrip("\n") + "\n"


def _lines(said: Submission) -> Iterator[str]:
    if said.version is not None:
        yield f"version = {toml_quote(said.version)}"
    if said.approved is not None:
        yield f"approved = {said.approved.isoformat()}"
    yield from ("", "[facility]", f"name = {toml_quote(said.facility)}")
    yield f"operator = {toml_quote(said.operator)}"
    if said.logo is not None:
        yield f"logo = {toml_quote(said.logo)}"
    yield from ("", "[table]", f"id = {toml_quote(said.table)}")
    yield f"rulebook = {toml_quote(said.rulebook)}"
    yield f"boxes = {said.boxes}"
    yield f"adjacent_boxes = {said.adjacent_boxes}"
    yield f"electronic = {_flag(said.electronic)}"
    if said.players_numbers:
        yield f"players_numbers = {_flag(said.players_numbers)}"
    yield f"abandoned_wagers = {toml_quote(said.abandoned_wagers)}"
    if said.payout_limit_cents is not None:
        yield f"payout_limit = {_amount(said.payout_limit_cents)}"
    yield from ("", "[paytables]")
    yield from (f"{name} = {toml_quote(letter)}" for name, letter in said.paytables)
    yield from ("", "[limits]")
    yield from (f"{name} = {_limit(limit)}" for name, limit in said.limits)
    if said.progressive is not None:
        yield from _progressive(said.progressive)
    yield from ("", "[dealing]", f"method = {toml_quote(said.dealing.method)}")
    yield f"fallbacks = {_texts(said.dealing.fallbacks)}"
    yield from ("", "[devices]")
    yield from (f"{name} = {_flag(there)}" for name, there in asdict(said.devices).items())
    yield from ("", "[decks]", f"count = {said.decks.count}")
    if said.decks.backs:
        yield f"backs = {_texts(said.decks.backs)}"


def _progressive(offer: ProgressiveOffer) -> Iterator[str]:
    yield from ("", "[progressive]", f"system = {toml_quote(offer.system)}")
    yield f"wager = {_amount(offer.stake_cents)}"
    if offer.hand is not None:
        yield f"hand = {toml_quote(offer.hand)}"
    if offer.holder_must_wager is not None:
        yield f"holder_must_wager = {_flag(offer.holder_must_wager)}"
    if offer.paid_from is not None:
        yield f"paid_from = {toml_quote(offer.paid_from)}"
    yield from ("", "[progressive.meters]")
    yield from (f"{meter.name} = {_meter(meter)}" for meter in offer.meters)


def _meter(meter: MeterOffer) -> str:
    amounts = f"initial = {_amount(meter.initial_cents)}, reset = {_amount(meter.reset_cents)}"
    limit = f", limit = {_amount(meter.limit_cents)}" if meter.limit_cents is not None else ""
    return f'{{ {amounts}, rate = "{rate_text(meter.rate_ppm)}"{limit} }}'


def _limit(limit: WagerLimit) -> str:
    ends = f"minimum = {_amount(limit.minimum_cents)}, maximum = {_amount(limit.maximum_cents)}"
    return f"{{ {ends}, increment = {_amount(limit.increment_cents)} }}"


def _amount(amount: Cents) -> str:
    return toml_quote(dollars(amount))


def _texts(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(map(toml_quote, texts))}]"


def _flag(flag: bool) -> str:
    return "true" if flag else "false"
