"""The table win report: drop, inventory, cash-outs, tips, and each box (NJ 13:69E-1.28P)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from croupier.facts.money import Cents, in_micros
from croupier.ledger.books import FELT, OUTSIDE, Accounts
from croupier.ledger.reports.sheet import Column, Report, Sheet, SumCheck
from croupier.ledger.reports.single_pass import Reading, TableReading
from croupier.ledger.reports.tally import BoxSums, Sums
from croupier.table.commands import Taken
from croupier.table.double_entry import CASH, DROP, HOUSE, PURSE, TIPS

NAME, TITLE = "win", "Table win"
HOLD = (
    "Hold, win over drop, is no figure of the cards and is not computed: what is bought in is not "
    "what is wagered. Percentages in these reports are of money wagered."
)
_FIGURES = (Column("figure", "Figure"), Column("amount", "Amount", "micros"))
_BOXES = (
    Column("box", "Box", "count"),
    Column("opening", "Had", "cents"),
    Column("bought", "Buy-ins", "cents"),
    Column("wagered", "Wagers", "cents"),
    Column("returned", "Stakes back", "cents"),
    Column("paid", "Wins", "cents"),
    Column("jackpot", "From meters", "cents"),
    Column("outside", "Paid outside", "cents"),
    Column("corrected", "After disputes", "cents"),
    Column("tipped", "Tips", "cents"),
    Column("cashed", "Cash-outs", "cents"),
    Column("kept", "Kept, less given back", "cents"),
    Column("closing", "Has", "cents"),
)
_COUNTS = (
    Column("taken", "Taken"),
    Column("due", "For chips sold", "cents"),
    Column("found", "Counted", "cents"),
    Column("short", "Short", "cents"),
)
TAKEN = {
    "cash": "Cash",
    "chips": "Chips",
    "voucher": "Vouchers",
    "practice": "Nothing: practice",
}


def win(reading: Reading) -> Iterator[Report]:
    for table in reading.asked:
        figures, checks = _figures(table)
        boxes, box_checks = _boxes(table)
        counts, count_checks = _counts(table)
        yield Report(
            NAME,
            reading.heading(TITLE, table),
            (figures, *counts, boxes) if table.books.accounts.moved else (),
            (*checks, *count_checks, *box_checks),
            (HOLD,) if table.books.accounts.moved else (),
            active=table.books.accounts.moved,
        )


def _figures(table: TableReading) -> tuple[Sheet, tuple[SumCheck, ...]]:
    """Win from the books, and again from what was lost and won."""
    accounts, all_wagers = table.books.accounts, table.tally.total()
    drop, inventory = accounts.of(DROP).net, accounts.of(HOUSE).net
    won = drop + inventory
    kept, paid = _micros(all_wagers.kept_cents), _micros(all_wagers.paid_cents)
    contributed, boxes = table.tally.contributed_micros, table.tally.boxes.values()
    bought = _micros(sum(box.bought_cents for box in boxes))
    chips = _micros(table.tally.taken.get("chips", 0))
    cashed = _micros(sum(box.cashed_cents for box in boxes) + table.tally.kept_paid_cents)
    corrected = _micros(table.tally.corrected_cents)
    by_wagers = kept - paid - contributed - corrected
    rows = (
        ("Drop: cash and vouchers for chips", drop),
        ("Change of the table inventory", inventory),
        ("Table win: drop and change of inventory", won),
        ("Stakes kept", kept),
        ("Winnings paid from the inventory", -paid),
        ("Contributions to meters", -contributed),
        ("Paid after disputes, less taken back", -corrected),
        ("Table win: stakes less winnings and contributions", by_wagers),
        ("Cash-outs", cashed),
        ("Tips", accounts.of(TIPS).net),
        ("Awards paid outside the table", accounts.all_of(OUTSIDE).net),
    )
    tipped = _micros(sum(box.tipped_cents for box in boxes))
    checks = (
        SumCheck("win by the books is win by the wagers", won, by_wagers),
        SumCheck("the drop is what was bought, less chips", drop, bought - chips),
        SumCheck(
            "what was taken is what was sold", _micros(sum(table.tally.taken.values())), bought
        ),
        SumCheck(
            "cash beyond the table is cash-outs less buy-ins",
            accounts.of(CASH).net,
            cashed - bought,
        ),
        SumCheck("the tip box is what was tipped", accounts.of(TIPS).net, tipped),
    )
    return Sheet("Table win", _FIGURES, rows), checks


def _counts(table: TableReading) -> tuple[tuple[Sheet, ...], tuple[SumCheck, ...]]:
    """Chips that were sold, by what was taken for them, beside what the counts of the interval
    found; a count covers what was taken since the one before."""
    tally = table.tally
    if not tally.counted:
        return (), ()
    found, due = (
        _together(one.found for one in tally.counted),
        _together(one.due for one in tally.counted),
    )
    rows = tuple(
        (title, due.get(kind, 0), found.get(kind, 0), due.get(kind, 0) - found.get(kind, 0))
        for kind, title in TAKEN.items()
        if kind in found or kind in due
    )
    checks = tuple(
        SumCheck(f"the count of {title.lower()} is what was sold for it", _micros(has), _micros(of))
        for title, of, has, _ in rows
    )
    return (Sheet("The drop, counted", _COUNTS, rows),), checks


def _together(counts: Iterable[Mapping[Taken, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(total)


def _boxes(table: TableReading) -> tuple[Sheet, tuple[SumCheck, ...]]:
    accounts, sums, money = table.books.accounts, table.tally.by_box(), table.tally.boxes
    purses = {name.removeprefix(PURSE) for name in accounts.by_name if name.startswith(PURSE)}
    seen = {int(box) for box in purses if box.isdecimal()}
    rows, checks = [], []
    for box in sorted(seen | set(sums) | set(money)):
        row, check = _box(accounts, box, sums.get(box, Sums()), money.get(box, BoxSums()))
        rows.append(row)
        checks.append(check)
    totals = (None, *(sum(row[at] for row in rows) for at in range(1, len(_BOXES))))
    return Sheet("By box", _BOXES, (*rows, totals), total=True), tuple(checks)


def _box(
    accounts: Accounts, box: int, sums: Sums, money: BoxSums
) -> tuple[tuple[int, ...], SumCheck]:
    """A box has what it had, less what it gave and plus what it got: chips and felt."""
    held = [accounts.of(f"{kind}{box}") for kind in (PURSE, FELT)]
    outside = accounts.of(f"{OUTSIDE}{box}").net
    opening, closing = sum(each.opening for each in held), sum(each.closing for each in held)
    kept = money.kept_cents - money.given_back_cents
    got = money.bought_cents + sums.back_cents + money.corrected_cents
    gave = sums.wagered_cents + money.tipped_cents + money.cashed_cents + kept
    row = (
        box,
        _cents(opening),
        money.bought_cents,
        sums.wagered_cents,
        sums.returned_cents,
        sums.paid_cents,
        sums.jackpot_cents,
        _cents(outside),
        money.corrected_cents,
        money.tipped_cents,
        money.cashed_cents,
        kept,
        _cents(closing),
    )
    check = SumCheck(
        f"box {box} has what it should", closing, opening + _micros(got - gave) - outside
    )
    return row, check


def _micros(cents: int) -> int:
    return in_micros(Cents(cents))


def _cents(micros: int) -> int:
    """Chips are whole cents."""
    return micros // in_micros(Cents(1))
