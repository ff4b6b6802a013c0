"""The statistics of a log, told to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from croupier.audit.log.finding import counted, plain
from croupier.cli.screen import Screen
from croupier.facts.money import dollars

if TYPE_CHECKING:
    from croupier.audit.log.statistics.trials import Group, Statistics

MOST_PLAYERS = 5


def tell_statistics(statistics: Statistics, console: Screen) -> None:
    verdict = statistics.verdict
    if verdict is not None:
        console.print(Text("Tests, judged together at 99% confidence", style="bold"))
        for line in verdict.lines:
            ending = f"this log would have shown {line.finds}"
            told = Text(f"  {line.name:40}p {line.p:6.4f}, by Holm {line.adjusted:6.4f}  ")
            told.append("passed" if line.passed else "FAILED", "" if line.passed else "bold red")
            if not line.passed and line.seen:
                told.append(f" ({line.seen})")
            console.print(told.append(f"; {ending}", "dim"), soft_wrap=True)
    for sentence in statistics.untested:
        console.print(Text(f"  not tested: {sentence}", style="dim"), soft_wrap=True)
    for group in statistics.groups:
        _tell_group(group, console)


def _tell_group(group: Group, console: Screen) -> None:
    console.print(
        Text(f"Results of {counted(group.rounds, 'round')}, {group.rulebook}", style="bold")
    )
    head = f"  {'':26}{'staked':>18}{'table won':>18}{'theoretical win':>18}"
    console.print(Text(head, style="dim"), soft_wrap=True)
    for result in group.results:
        money = (result.staked_cents, result.table_won_cents, result.theoretical_cents)
        amounts = "".join(f"{dollars(cents):>18}" for cents in money)
        console.print(Text(f"  {result.wager:26}{amounts}"), soft_wrap=True)
    _tell_players(group, console)
    if group.skill is not None:
        console.print(Text(f"  cost of skill: {group.skill.told}"), soft_wrap=True)


def _tell_players(group: Group, console: Screen) -> None:
    """Those who wagered most; a report lists more of them, and --json all."""
    head = f"  {'players':26}{'wagered':>18}{'result':>18}{'theoretical loss':>18}"
    console.print(Text(head, style="dim"), soft_wrap=True)
    for player in group.players[:MOST_PLAYERS]:
        money = (player.wagered_cents, player.won_cents, player.theoretical_loss_cents)
        amounts = "".join(f"{dollars(cents):>18}" for cents in money)
        console.print(Text(f"  {plain(player.player)[:24]:26}{amounts}"), soft_wrap=True)
    more = len(group.players) - MOST_PLAYERS
    if more > 0:
        console.print(Text(f"  and {counted(more, 'player')} more", style="dim"))
