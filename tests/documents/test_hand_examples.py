"""Examples of hands: each is what it is called, for every game that is there."""

from __future__ import annotations

import pytest

from croupier.documents.hand_examples import hand_examples
from croupier.facts.cards import cards
from croupier.games.registry import the_registry

GAMES = the_registry().games


@pytest.mark.parametrize("game", GAMES)
def test_each_example_is_what_it_is_called(game: str) -> None:
    ranking = GAMES[game].ranking
    examples = hand_examples(ranking)
    assert [name for name, _ in examples] == [str(one) for one in reversed(ranking.order)]
    for name, shown in examples:
        assert ranking.hand(cards(" ".join(shown))).category == name
