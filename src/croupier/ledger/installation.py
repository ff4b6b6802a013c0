"""A table's first line: what it plays by, the link it joins, and its first sealed pack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version
from uuid import uuid4

from msgspec import UNSET

from croupier.facts.errors import Unreadable, quoted
from croupier.games.registry import Registry
from croupier.games.rules import PROGRESSIVE
from croupier.ledger.append_retry import append_anew
from croupier.ledger.envelope import LONGEST, InstallTable, own_envelope
from croupier.ledger.events import TABLE, TableInstalled, read_kept
from croupier.ledger.kept_table import Clock, KeptTable, Packs, committed, system_clock
from croupier.ledger.link import Link, opened_link
from croupier.ledger.replay import kept_submission, kept_terms
from croupier.ledger.shoe.key_ring import KeyRing
from croupier.ledger.shoe.pack import Pack
from croupier.ledger.store.port import Ledger, Writing
from croupier.ledger.verification import authenticated
from croupier.submission.fingerprint import money_hash, rulebook_hash, rules_hash
from croupier.submission.submission import Submission
from croupier.submission.toml_writer import write_submission
from croupier.table.powers import Preset
from croupier.table.state import new_table


def install(
    ledger: Ledger,
    submission: Submission,
    registry: Registry,
    ring: KeyRing,
    packs: Packs,
    *,
    by: str,
    name: str = "",
    link: str = "",
    practice: bool = False,
    sealed: bool = False,
    training: bool = False,
    policy: Preset = "casino",
    second: str = "",
    clock: Clock = system_clock,
    beside: Callable[[], Writing] | None = None,
) -> KeptTable:
    """Write a table into the ledger, and its link where it is the first on it; ``beside`` is what
    another stream is to have in the same transaction."""
    name = name or submission.table
    refuse_unfit(name, link)
    kind = {"practice": practice, "sealed": sealed, "training": training}
    event = installation(submission, registry, name, link, policy=policy, second=second, **kind)
    authenticated(ledger, ring)

    def writings() -> Iterator[Writing]:
        """Anew where somebody installed the same table, or opened the link."""
        yield from _writings(ledger, event, submission, registry, ring, packs(), by, clock())
        if beside is not None:
            yield beside()

    append_anew(ledger, f"link {event.link}", writings)
    return KeptTable(ledger, name, registry, ring, packs, clock)


def is_fit(name: str) -> bool:
    """A name that people can read, and that can stand in an address as it is."""
    plain = name.isprintable() and not any(sign in name for sign in "/\\?#%")
    return bool(name.strip()) and plain and not name.startswith(".") and len(name) <= LONGEST


def refuse_unfit(name: str, link: str) -> None:
    if not is_fit(name):
        raise Unreadable(f"{quoted(name)} is no name for a table")
    if link and not is_fit(link):
        raise Unreadable(f"{quoted(link)} is no name for a link")


def installation(
    submission: Submission,
    registry: Registry,
    name: str,
    link: str,
    *,
    practice: bool,
    sealed: bool = False,
    training: bool = False,
    policy: Preset = "casino",
    second: str = "",
) -> TableInstalled:
    """What a table's first line says; what is for training is for practice, and never sealed."""
    book, rules = registry.book(submission.rulebook), submission.rules(registry)
    return TableInstalled(
        clauses=(book.cite(book.table.boxes.clause),),
        table=name,
        rulebook=book.id,
        submission=write_submission(submission),
        rules_hash=rules_hash(rules),
        link=(link or name) if submission.progressive is not None else "",
        practice=practice or training,
        croupier=version("croupier"),
        rulebook_hash=rulebook_hash(book),
        money_hash=money_hash(rules),
        policy=policy,
        sealed=(sealed and not training) or UNSET,
        training=training or UNSET,
        second=second or UNSET,
    )


def link_to_join(
    ledger: Ledger, event: TableInstalled, submission: Submission, registry: Registry
) -> Link | None:
    """The link of a table that can be brought in as the ledger stands; refused where it cannot."""
    if ledger.head(f"{TABLE}{event.table}").version:
        raise Unreadable(f"there is a table {quoted(event.table)} in this ledger already")
    if submission.progressive is None:
        return None
    joined = Link(ledger, event.link)
    if joined.opened is not None:
        joined.refuse_other_terms(submission.progressive)
        for other in _on_link(ledger, event.link):
            _refuse_practice_among_real(other, event)
            refuse_other_chances(other, event, registry)
    return joined


def _writings(
    ledger: Ledger,
    event: TableInstalled,
    submission: Submission,
    registry: Registry,
    ring: KeyRing,
    pack: Pack,
    by: str,
    at_us: int,
) -> Iterator[Writing]:
    stream, joined = f"{TABLE}{event.table}", link_to_join(ledger, event, submission, registry)
    asked = InstallTable(by=by, role="manager", table=event.table)
    envelope = own_envelope(asked, f"install-{uuid4()}", at_us)
    quiet = envelope.without_words()
    state = new_table(kept_terms(event, registry))
    shoe = quiet.draft(committed(ledger.id, stream, pack, ring, state))
    yield Writing(stream, 0, (envelope.draft(event), shoe))
    if submission.progressive is not None and joined is not None and joined.opened is None:
        opened = opened_link(event.link, submission.progressive, event.clauses)
        yield Writing(joined.stream, 0, (quiet.draft(opened),))


def _on_link(ledger: Ledger, link: str) -> Iterator[TableInstalled]:
    for stream in ledger.heads():
        if stream.startswith(TABLE):
            other = read_kept(next(ledger.read(stream, most=1)).body)
            if isinstance(other, TableInstalled) and other.link == link:
                yield other


def _refuse_practice_among_real(other: TableInstalled, event: TableInstalled) -> None:
    """What is played for practice never moves a meter that is real."""
    if other.practice and not event.practice:
        raise Unreadable(f"link {event.link} is for practice; a real table needs its own")
    if event.practice and not other.practice:
        raise Unreadable(f"link {event.link} is real; a practice table needs its own")


def refuse_other_chances(other: TableInstalled, event: TableInstalled, registry: Registry) -> None:
    """Whoever wagers on a link has the same chance at its meters as everybody else on it."""
    theirs, ours = (_chances(kept_submission(each, registry), registry) for each in (other, event))
    different = [term for term in theirs if theirs[term] != ours[term]]
    if different:
        raise Unreadable(
            f"table {other.table} on link {event.link} has another {' and '.join(different)} for "
            "the Progressive; tables on one link have the same chances at its meters"
        )


def _chances(filed: Submission, registry: Registry) -> dict[str, object]:
    """Everything a player's chance at a meter, or what it pays, depends on."""
    rules = filed.rules(registry)
    table, offer = rules.paytable(PROGRESSIVE), filed.progressive
    lines = table.lines if table is not None else ()
    meters = offer.meters if offer is not None else ()
    return {
        "game": rules.book.game,
        "hand": rules.judged_by(PROGRESSIVE),
        "wager": offer.stake_cents if offer is not None else 0,
        "paytable": [(line.phrase, str(line.odds)) for line in lines],
        "limit": {meter.name: meter.limit_cents for meter in meters},
    }
