"""A table's first line: what it plays by, the link it joins, and its first sealed pack."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from uuid import uuid4

from croupier.facts.errors import Unavailable, Unreadable, quoted
from croupier.games.house import House
from croupier.ledger.hand import LONGEST, InstallTable, own_hand
from croupier.ledger.happenings import TABLE, TableInstalled, read_kept
from croupier.ledger.keeper import ATTEMPTS, Clock, KeptTable, Packs, committed, system_clock
from croupier.ledger.keyring import KeyRing
from croupier.ledger.link import Link, opened_link
from croupier.ledger.pack import Pack
from croupier.ledger.port import Ledger, Moved, Writing
from croupier.ledger.restoring import kept_terms
from croupier.submission.fingerprint import money_hash, rulebook_hash, rules_hash
from croupier.submission.submission import Submission
from croupier.submission.written import write_submission
from croupier.table.state import new_table


def install(
    ledger: Ledger,
    submission: Submission,
    house: House,
    ring: KeyRing,
    packs: Packs,
    *,
    by: str,
    name: str = "",
    link: str = "",
    practice: bool = False,
    clock: Clock = system_clock,
) -> KeptTable:
    """Write a table into the ledger, and its link where it is the first on it."""
    name = name or submission.table
    if not name.strip() or not name.isprintable() or len(name) > LONGEST:
        raise Unreadable(f"{quoted(name)} is no name for a table")
    event = installation(submission, house, name, link, practice=practice)
    for _ in range(ATTEMPTS):
        try:
            ledger.append(*_writings(ledger, event, submission, house, ring, packs(), by, clock()))
        except Moved:
            continue  # Somebody installed the same table, or opened the link: look again.
        return KeptTable(ledger, name, house, ring, packs, clock)
    raise Unavailable(f"others write to link {event.link} too fast; try again")


def installation(
    submission: Submission, house: House, name: str, link: str, *, practice: bool
) -> TableInstalled:
    """What a table's first line says."""
    book, rules = house.book(submission.rulebook), submission.rules(house)
    return TableInstalled(
        clauses=(book.cite(book.table.boxes.clause),),
        table=name,
        rulebook=book.id,
        submission=write_submission(submission),
        rules_hash=rules_hash(rules),
        link=(link or name) if submission.progressive is not None else "",
        practice=practice,
        croupier=version("croupier"),
        rulebook_hash=rulebook_hash(book),
        money_hash=money_hash(rules),
    )


def _writings(
    ledger: Ledger,
    event: TableInstalled,
    submission: Submission,
    house: House,
    ring: KeyRing,
    pack: Pack,
    by: str,
    at_us: int,
) -> Iterator[Writing]:
    stream = f"{TABLE}{event.table}"
    if ledger.head(stream).version:
        raise Unreadable(f"there is a table {quoted(event.table)} in this ledger already")
    asked = InstallTable(by=by, role="manager", table=event.table)
    hand = own_hand(asked, f"install-{uuid4()}", at_us)
    quiet = hand.without_words()
    state = new_table(kept_terms(event, house))
    shoe = quiet.draft(committed(ledger.id, stream, pack, ring, state))
    yield Writing(stream, 0, (hand.draft(event), shoe))
    if submission.progressive is not None:
        joined = Link(ledger, event.link)
        if joined.opened is None:
            opened = opened_link(event.link, submission.progressive, event.clauses)
            yield Writing(joined.stream, 0, (quiet.draft(opened),))
        else:
            joined.refuse_other_terms(submission.progressive)
            _refuse_practice_among_real(ledger, event)


def _refuse_practice_among_real(ledger: Ledger, event: TableInstalled) -> None:
    """What is played for practice never moves a meter that is real."""
    for stream in ledger.heads():
        if not stream.startswith(TABLE):
            continue
        other = read_kept(next(ledger.read(stream, most=1)).body)
        if isinstance(other, TableInstalled) and other.link == event.link:
            if other.practice and not event.practice:
                raise Unreadable(f"link {event.link} is for practice; a real table needs its own")
            if event.practice and not other.practice:
                raise Unreadable(f"link {event.link} is real; a practice table needs its own")
