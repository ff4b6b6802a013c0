"""Which clause stands behind each thing that people and devices do at a table.

The games of one family share the skeleton of their rules - opening, shuffle, wagers, deal, the end
of a round - but not the numbering, so each book says under which clause it orders each act.
"""

from __future__ import annotations

import msgspec


class Procedure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clauses of what is done the same way however the cards are dealt."""

    # Decks
    alike_clause: str
    same_design_clause: str
    two_decks_clause: str
    colors_clause: str
    stored_clause: str
    alternate_clause: str
    one_in_the_rack_clause: str

    # Opening
    inspect_clause: str
    spread_clause: str
    turn_down_clause: str
    wash_clause: str
    stack_clause: str
    first_shuffle_clause: str
    each_deck_clause: str
    preshuffled_clause: str
    shoe_place_clause: str

    # Shuffle and cut
    before_play_clause: str
    after_round_clause: str
    on_order_clause: str
    single_stack_clause: str
    by_device_clause: str
    must_cut_clause: str
    cut_moves_clause: str
    into_shoe_clause: str
    idle_clause: str
    idle_spread_clause: str
    idle_again_clause: str

    # Wagers and players
    layout_clause: str
    seated_clause: str
    stay_seated_clause: str
    abandoned_clause: str
    before_close_clause: str
    after_close_clause: str

    # The progressive system
    acceptor_clause: str
    lock_out_clause: str
    own_light_clause: str
    won_clause: str
    light_clause: str
    validate_clause: str
    pay_clause: str

    # Completing a round
    examine_clause: str
    reveal_clause: str
    dealer_hand_clause: str
    announce_dealer_clause: str
    turn_box_clause: str
    announce_box_clause: str
    one_box_clause: str
    clear_clause: str
    folded_keeps_clause: str
    folded_collected_clause: str
    irregular_clause: str

    # What some books order in a line of its own, and others within one of the lines above
    seen_clause: str | None = None
    remove_cards_clause: str | None = None
    side_wagers_clause: str | None = None
    covered_clause: str | None = None
    signed_clause: str | None = None

    # Awards of a meter that some books keep off the table inventory, from this share upward
    off_table_clause: str | None = None
    off_table_percent: int | None = None
    paperwork_clause: str | None = None

    # Some books collect what folds gave up when all have decided, and not at each fold
    collected_together_clause: str | None = None


class WayProcedure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clauses of what each chapter on dealing orders in its own words."""

    into_place_clause: str
    no_more_bets_clause: str
    lock_out_clause: str
    chips_match_clause: str
    chips_away_clause: str
    stub_away_clause: str
    stub_right_clause: str
    stub_misdealt_clause: str
    stub_wrong_clause: str
    chips_collected_clause: str | None = None
    stub_out_clause: str | None = None
    stub_counting_clause: str | None = None
