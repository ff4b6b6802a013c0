"""Live rounds in separate browsers: players, a dealer, a floorperson and surveillance."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from croupier.documents.help_line import HELP
from croupier.submission.check import shipped_submission
from croupier.submission.toml_writer import write_submission
from tests.browser.evenings import Evening, laid, refuse_hidden_cards
from tests.browser.proofs import checked_offline
from tests.browser.rigged import RiggedService
from tests.browser.rooms import (
    ASKED,
    LATE_NEWS,
    SLOW_ANSWERS,
    Player,
    PracticeRoom,
    Visit,
    entered,
    log_in,
    wait_until,
)
from tests.server.service import PASSWORD, Client, Service

SIX = {"Pia": 1, "Paul": 2, "Petra": 3, "Pablo": 4, "Penny": 5, "Piet": 6}
THREE = {"Pia": 1, "Paul": 2, "Petra": 3}
TWO = {"Pia": 2, "Paul": 3}

# From the top, as section 10 has the cards dealt: the Six Card box, the board or not, the dealer,
# then each box. Box 3 gets what the whole meter is for.
ROYAL = "2h 5h 8h Jh  Qs Js Ts 2d 7c  4c 9d  3c 8d 6h 9c As Ks 4d Jd 5c 6c 3h Td"
FOUR_ACES = (
    "2h  Kd 9c 7h 5d 4c Jh  3c 8d 6h 9d Td  4d Jd 5c 6c 3h  As Ah Ad Ac 2s  "
    "Ks Qs 8h 7d 2c  Kh Qd Ts 5s 3d  Kc Jc 9h 6s 4s"
)


def rigged(folder: Path, book: str, pack: str) -> RiggedService:
    file = folder / f"{book}.toml"
    file.write_text(write_submission(shipped_submission(book)))
    return RiggedService(folder, file, pack)


@pytest.mark.parametrize(
    ("book", "table", "players", "pack", "plays", "envy"),
    [
        pytest.param("UTH-S", "UTH-1", THREE, ROYAL, "4x", "$1,000", id="three"),
        pytest.param(
            *("UTH-S", "UTH-1", SIX, ROYAL, "4x", "$1,000"), id="six", marks=pytest.mark.prove
        ),
        pytest.param(
            *("FCP-14", "FCP-1", SIX, FOUR_ACES, "1x", "$100"),
            id="four-card",
            marks=pytest.mark.prove,
        ),
    ],
)
def test_players_and_a_jackpot(
    tmp_path: Path,
    chromium: Browser,
    book: str,
    table: str,
    players: dict[str, int],
    pack: str,
    plays: str,
    envy: str,
) -> None:
    with rigged(tmp_path, book, pack).running() as service:
        evening = Evening(service, chromium, table, players)
        evening.open()
        evening.wager("Ante", "Progressive")
        stood = evening.view()["meters"]
        evening.play_on("settling", plays)
        evening.settle_on()
        jackpot = evening.view("Flo")["boxes"][2]["lines"][-1]
        assert jackpot["odds"].startswith("100%")
        assert jackpot["paid_cents"] == max(stood.values()) // 10_000
        assert "waits for the floor" in evening.players["Petra"].page.inner_text("#receipt")
        won = f"${jackpot['paid_cents'] / 100:,.2f}"
        evening.floor.wait_for_selector(f"[data-do=validate-progressive]:has-text('{won}')")
        assert "nothing else is settled" in evening.dealer.inner_text("#hint")
        evening.do("validate-progressive", "Flo")
        evening.settle_on()
        if book != "UTH-S":
            evening.do("record-paperwork", "Flo")
        for name, visit in evening.players.items():
            visit.page.wait_for_selector("#receipt tfoot")
            told = visit.page.inner_text("#receipt")
            assert (won in told) is (name == "Petra")
            assert (f"+{envy}" in told) is (name != "Petra")
            refuse_hidden_cards(visit)
        assert f"pay {won}" in evening.dealer.inner_text("#paid")
        assert book in evening.dealer.inner_text("#paid")
        evening.do("clear-cards")
        if book == "UTH-S":
            checks_at_home(evening.players["Petra"].page, chromium, tmp_path)
        prints_what_she_spent(evening.players["Petra"], table, won)
        watch = evening.visits["Sam"].page
        watch.fill("#older [name=round]", "1")
        watch.click("#older button")
        watch.click("#steps button:has-text('Progressive validated')")
        assert "progressive-validated" in watch.inner_text("#raw")
        assert ", proved: its hash is that of what it says" in watch.inner_text("#proof")
        assert watch.locator("#ribbon.is-replay").count() == 1
        evening.close()


def checks_at_home(page: Page, chromium: Browser, folder: Path) -> None:
    """Petra saves the proof from her receipt, and the page that checks it, and goes offline."""
    with page.expect_download() as saved:
        page.click("#receipt a.proof")
    proof, checker = folder / saved.value.suggested_filename, folder / "check.html"
    saved.value.save_as(proof)
    link = page.locator("#receipt a.check-proof")
    checker.write_bytes(page.request.get(str(link.evaluate("a => a.href"))).body())
    assert "The proof holds." in checked_offline(chromium, checker, proof)


def prints_what_she_spent(visit: Visit, table: str, won: str) -> None:
    """From her own page; where to find help stands on both."""
    assert HELP in visit.page.inner_text(".side")
    with visit.page.context.expect_page() as opened:
        visit.page.click(f"a[href='/tables/{table}/spent']")
    page = opened.value
    page.wait_for_selector("tfoot td")
    staked, back, result = page.locator("tfoot td").all_inner_texts()
    cents = [round(float(said.strip("$").replace(",", "")) * 100) for said in (staked, back)]
    assert result == f"${(cents[1] - cents[0]) / 100:,.2f}"
    assert cents[1] > round(float(won.strip("$").replace(",", "")) * 100)
    assert HELP in page.inner_text("main")
    page.evaluate("window.print = () => { document.title = 'printed'; }")
    page.click("#print")
    assert page.title() == "printed"
    page.close()


def test_a_win_is_refused_by_two_people(tmp_path: Path, chromium: Browser) -> None:
    """The floorperson proposes it and sees that somebody else decides; a manager sends it back
    once, then confirms it: the chip is lost, the meter stands, and the next box is settled."""
    with rigged(tmp_path, "UTH-S", ROYAL).running() as service:
        evening = Evening(service, chromium, "UTH-1", THREE)
        evening.open()
        evening.wager("Ante", "Progressive")
        evening.play_on("settling", "4x")
        evening.settle_on()
        stood = evening.view()["meters"]
        propose = "[data-do=propose-refusal]:has-text('the hand does not qualify')"
        manager = evening.visits["Max"].page
        manager.click(propose)  # who proposed it is not the one who confirms, a manager neither
        manager.wait_for_selector("#hint:has-text('A manager has the word.')")
        assert manager.locator("[data-do=confirm-refusal]").count() == 1
        manager.click("[data-do=confirm-refusal]:has-text('Send it back')")
        for word in ("Send it back", "Confirm the refusal"):
            before = evening.version()
            evening.floor.click(propose)
            evening.wait_beyond(before)
            manager.wait_for_selector("[data-do=confirm-refusal]")
            upheld = "[data-do=confirm-refusal]:has-text('Confirm the refusal')"
            assert evening.floor.locator(upheld).count() == 0
            before = evening.version()
            manager.click(f"[data-do=confirm-refusal]:has-text('{word}')")
            evening.wait_beyond(before)
        evening.settle_on()
        line = evening.view("Flo")["boxes"][2]["lines"][-1]
        assert (line["wager"], line["outcome"], line.get("paid_cents", 0)) == (
            "progressive",
            "lose",
            0,
        )
        assert evening.view()["meters"] == stood
        for visit in evening.players.values():
            visit.page.wait_for_selector("#receipt tfoot")
            assert "+$1,000" not in visit.page.inner_text("#receipt")
        evening.do("clear-cards")
        evening.close()


def test_whatever_goes_wrong_is_declared_at_the_console(pit: Service, chromium: Browser) -> None:
    """Each thing tells what will happen first; the floorperson decides where money moves."""
    evening = Evening(pit, chromium, laid(pit, "FCP-14"), TWO)
    evening.open()
    evening.wager("Ante")
    wrong = evening.dealer.locator("#wrong")

    def declare(name: str, *cards: str) -> None:
        wrong.locator(f"[data-irregularity={name}] summary").click()
        for card in cards:
            wrong.get_by_label(card).check()
        before = evening.version()
        wrong.locator(f"[data-declare={name}]").click()
        evening.wait_beyond(before)

    declare("card-face-up")
    evening.dealer.wait_for_selector("#hint:has-text('Set aside')")
    declare("card-drawn-in-error")
    evening.play_on("acting")
    declare("other-card-exposed", "Box 3, card 2")
    assert evening.view()["boxes"][1]["cards"][1] != "??"
    told = wrong.locator("[data-irregularity=dealer-card-exposed] p").first.text_content() or ""
    assert "Void the round, return every wager" in told
    assert "The floorperson is called" in told
    declare("dealer-card-exposed", "Dealer, card 1")
    for visit in evening.players.values():
        visit.page.wait_for_selector("#hint:has-text('The floorperson is called')")
    evening.floor.wait_for_selector("#hint:has-text('If you uphold it: void the round')")
    evening.do("confirm", "Flo")
    evening.do("clear-cards")
    player = evening.players["Pia"].page
    player.wait_for_selector("#chips:has-text('$500')")
    player.wait_for_selector("#hint:has-text('The round is void')")
    player.click("#receipt tr:has-text('returned') .why")
    player.wait_for_selector(".why-dialog:has-text('Ruling 30')")
    evening.close()


def test_a_system_that_cannot_go_on_needs_two(pit: Service, chromium: Browser) -> None:
    """At a sealed table nobody undoes a round alone: the floorperson asks, a manager confirms."""
    evening = Evening(pit, chromium, laid(pit, "UTH-S"), {"Pia": 2})
    evening.open()
    evening.wager()
    evening.floor.click("#wrong summary:has-text('The round cannot go on')")
    evening.floor.select_option("#wrong [name=cause]", "power-lost")
    evening.floor.fill("#wrong form:has([name=cause]) [name=reason]", "no light")
    evening.floor.click("#wrong form:has([name=cause]) button")
    for page in (evening.floor, evening.dealer):
        page.wait_for_selector(
            "#hint:has-text('power or network failed: no light. A manager upholds it')"
        )
    assert evening.floor.locator("#next [data-do=confirm]").count() == 0
    mona = entered(pit, chromium, pit.log_in("ada").hire("Mona", "manager").token)
    mona.page.goto(evening.url)
    mona.page.click("#next [data-do=confirm] >> nth=0")
    evening.do("clear-cards")
    evening.players["Pia"].page.wait_for_selector("#chips:has-text('$500')")
    mona.close()
    for visit in evening.visits.values():
        visit.close()


def test_the_service_dies_while_a_player_is_asked(service: Service, chromium: Browser) -> None:
    evening = Evening(service, chromium, "UTH-1", TWO)
    evening.open()
    evening.wager()
    evening.play_on("acting")
    visit = evening.asked()
    visit.page.add_init_script(LATE_NEWS)
    visit.page.wait_for_selector(ASKED)
    cards = visit.page.get_attribute("#near", "aria-label")
    service.kill()
    visit.page.wait_for_selector("body[data-link=away]")
    service.start()
    visit.page.wait_for_url("**/login?to=*")
    name = next(name for name, known in evening.players.items() if known is visit)
    visit.page.fill("[name=name]", name)
    visit.page.fill("[name=password]", PASSWORD)
    visit.page.click("button.main")
    visit.page.wait_for_selector(ASKED)
    assert visit.page.get_attribute("#near", "aria-label") == cards
    # Something else happens at the table, and the page does not know it yet: the answer counts.
    visit.page.evaluate("window.late = 500")
    absent = next(box for box in evening.boxes.values() if box != evening.boxes[name])
    dealer = service.log_in("Dora")
    assert dealer.ask("UTH-1", "report-absence", box=absent)["outcome"] == "done"
    visit.page.click("[data-act=check]")
    visit.page.wait_for_function("() => !document.querySelector('.choice')")
    assert dealer.look("UTH-1")["view"]["turn"] == absent
    for known in evening.visits.values():
        known.close()


def test_a_dealers_round_by_keyboard_alone(tmp_path: Path, chromium: Browser) -> None:
    """Enter does what is next; Tab reaches everything else. A key pressed while the answer to the
    one before is on its way is not lost."""
    with Service(tmp_path, decision_seconds=600).running() as service:
        administrator = service.set_up()
        player = administrator.hire("Pia", "player")
        dealer = entered(service, chromium, administrator.hire("Dora", "dealer").token)
        page, keyboard = dealer.page, dealer.page.keyboard
        page.add_init_script(SLOW_ANSWERS)
        page.goto(f"{service.url}/tables/UTH-1")
        page.wait_for_selector("[data-do=open-table]")
        keyboard.press("Enter")
        page.wait_for_selector("#next [data-do=open-table]", state="detached")
        player.ask("UTH-1", "take-box", box=4)
        page.wait_for_selector("#buy option", state="attached")
        for _ in range(60):
            keyboard.press("Tab")
            if page.evaluate("document.activeElement.name") == "dollars":
                break
        keyboard.press("Control+A")
        keyboard.type("300")
        keyboard.press("Enter")
        page.wait_for_selector("#boxes td:has-text('$300')")
        keyboard.press("Escape")
        player.ask("UTH-1", "place-wagers", box=4, stakes={"ante": 10_00, "blind": 10_00})
        for duty in ("no-more-bets", "deal", "deal", "deal", "deal"):
            _enter(dealer, duty)
        page.wait_for_selector("#clock.is-running")
        assert "seconds left" in (page.get_attribute("#clock", "aria-label") or "")
        assert player.ask("UTH-1", "play", box=4, cents=30_00)["outcome"] == "done"
        for duty in ("deal", "deal", "reveal", "settle-box", "clear-cards"):
            _enter(dealer, duty)
        page.wait_for_selector("#paid-title:has-text('round 1')")
        page.wait_for_selector("#hint:has-text('Waiting for wagers')")
        assert page.locator("#clock.is-running").count() == 0
        assert dealer.complaints == []
        dealer.close()


def _enter(dealer: Visit, duty: str) -> None:
    dealer.page.wait_for_selector(f"#next [data-do={duty}]")
    before = len(dealer.frames)
    dealer.page.keyboard.press("Enter")
    wait_until(dealer.page, lambda: len(dealer.frames) > before, f"{duty} is done")


def test_an_answer_by_time_out_is_told_as_such_where_no_clock_runs(
    tmp_path: Path, chromium: Browser
) -> None:
    """The dealer calls it; who only looks at the felt cannot tell it from a check."""
    with Service(tmp_path, decision_seconds=0).running() as service:
        administrator = service.set_up()
        people = {"Dora": administrator.hire("Dora", "dealer")}
        people |= {name: administrator.hire(name, "player") for name in ("Pia", "Paul")}
        table, dealer = "UTH-1", people["Dora"]
        dealer.ask(table, "open-table")
        for box, name in ((4, "Pia"), (5, "Paul")):
            people[name].ask(table, "take-box", box=box)
            dealer.ask(table, "buy-in", box=box, cents=200_00, taken="cash")
            stakes = {"ante": 10_00, "blind": 10_00}
            people[name].ask(table, "place-wagers", box=box, stakes=stakes)
        visit = entered(service, chromium, people["Pia"].token, 360)
        visit.page.goto(f"{service.url}/tables/{table}")
        dealer.ask(table, "no-more-bets")
        while dealer.look(table)["view"]["phase"] == "dealing":
            dealer.ask(table, "deal")
        visit.page.wait_for_selector(ASKED)
        assert dealer.ask(table, "time-out", box=4)["outcome"] == "done"
        late = "You ran out of time: check was played"
        visit.page.wait_for_selector(f"#hint:has-text('{late}')")
        visit.page.wait_for_selector("#call:text-is('Your box 4 checks, out of time')")
        assert people["Paul"].ask(table, "check", box=5)["outcome"] == "done"
        visit.page.wait_for_selector("#call:text-is('Box 5 checks')")
        visit.close()


def test_a_player_who_is_too_late_and_his_chips(tmp_path: Path, chromium: Browser) -> None:
    with Service(tmp_path, decision_seconds=3).running() as service:
        administrator = service.set_up()
        dealer = administrator.hire("Dora", "dealer")
        visit = entered(service, chromium, administrator.hire("Pia", "player").token, 360)
        page, table = visit.page, "FCP-1"
        dealer.done(table, "open-table")
        page.goto(f"{service.url}/tables/{table}")
        page.click("[data-act=sit-4]")
        page.wait_for_selector("#hint:has-text('Ask the dealer for chips')")
        dealer.done(table, "buy-in", box=4, cents=200_00, taken="cash")
        page.fill("#tip [name=dollars]", "5")
        page.click("#tip button")
        page.wait_for_selector("#purse-words:has-text('You tipped the dealers $5')")
        page.fill("#part [name=dollars]", "50")
        page.click("#part button")
        page.wait_for_selector("#purse-words:has-text('A voucher for $50')")
        page.click("[aria-label^='Ante: nothing']")
        page.wait_for_selector("[aria-label^='Ante: $10']")
        dealer.done(table, "no-more-bets")
        page.wait_for_selector("#tip button:disabled")
        while dealer.look(table)["view"]["phase"] == "dealing":
            dealer.done(table, "deal")
        page.wait_for_selector("#clock.is-running")
        page.wait_for_selector("#said:has-text('You have')", state="attached")
        page.wait_for_selector("#clock:not(.is-running)", state="attached")
        page.wait_for_selector("#hint:has-text('You ran out of time: fold was played')")
        page.wait_for_selector("#call:has-text('Your box 4 folds')")
        dealer.done(table, "reveal")
        dealer.done(table, "settle-box", box=4)
        dealer.done(table, "clear-cards")
        page.wait_for_selector("#receipt td:has-text('given up')")
        floor = [administrator.hire(name, "floorperson") for name in ("Flo", "Fred")]
        _left_in_the_middle(visit, dealer, *floor)
        page.click("[data-act=sit-4]")
        page.wait_for_selector("#hint:has-text('Ask the dealer for chips')")
        dealer.done(table, "buy-in", box=4, cents=70_00, taken="cash")
        page.wait_for_selector("#chips:has-text('$70')")
        page.click("#cash")
        page.wait_for_selector("#purse-words:has-text('You leave with a voucher for $70')")
        assert visit.complaints == []
        visit.close()


def _left_in_the_middle(visit: Visit, dealer: Client, floor: Client, second: Client) -> None:
    """Who is ruled to have left, by two people, gives the box up; her chips are kept for her."""

    def offered() -> bool:
        """Nobody connected has left: the pit has to notice first that her socket is closed."""
        return any(each["do"] == "report-absence" for each in dealer.look("FCP-1")["view"]["may"])

    def shown() -> bool:
        boxes = dealer.look("FCP-1")["view"]["boxes"]
        return any(box["seat"] == 4 and box.get("number") == "shown" for box in boxes)

    visit.page.click("[data-act=again]")
    visit.page.wait_for_selector("[aria-label^='Ante: $10']")
    dealer.done("FCP-1", "no-more-bets")
    wait_until(visit.page, shown, "her browser has shown its number")
    table = visit.page.url
    visit.page.goto("about:blank")
    wait_until(visit.page, offered, "the player's absence may be reported")
    dealer.done("FCP-1", "report-absence", box=4)
    while dealer.look("FCP-1")["view"]["phase"] == "dealing":
        dealer.done("FCP-1", "deal")
    floor.done("FCP-1", "rule-on-absence", box=4, outcome="abandoned")
    second.done("FCP-1", "second", act="abandon", box=4, upheld=True)
    dealer.done("FCP-1", "reveal")
    dealer.done("FCP-1", "settle-box", box=4)
    dealer.done("FCP-1", "clear-cards")
    visit.page.goto(table)
    visit.page.click("[data-act=fetch]:has-text('$125')")
    visit.page.wait_for_selector("#hint:has-text('Take a box')")


def test_play_and_serve_in_one_browser(pit: Service, room: PracticeRoom, chromium: Browser) -> None:
    """A browser keeps cookies by host alone: neither may log the other out."""
    visit = Player(chromium)
    visit.enter(room)
    assert "Choose your table" in visit.page.inner_text("h1")
    log_in(visit, pit, pit.set_up().token)
    visit.page.goto(pit.url)
    assert "The pit" in visit.page.inner_text("h1")
    visit.page.goto(f"http://127.0.0.1:{room.port}/practice")
    assert "Choose your table" in visit.page.inner_text("h1")
    visit.close()
