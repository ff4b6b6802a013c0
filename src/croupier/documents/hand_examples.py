"""An example of each kind of hand, for who never saw one: by size of hands, then by category."""

from __future__ import annotations

from croupier.facts.hands import Category, Ranking

_EXAMPLES: dict[int, dict[Category, str]] = {
    5: {
        Category.ROYAL_FLUSH: "As Ks Qs Js Ts",
        Category.STRAIGHT_FLUSH: "9h 8h 7h 6h 5h",
        Category.FOUR_OF_A_KIND: "Qs Qh Qd Qc 7s",
        Category.FULL_HOUSE: "Ks Kh Kd 4c 4s",
        Category.FLUSH: "Ad Jd 8d 6d 3d",
        Category.STRAIGHT: "Tc 9d 8s 7h 6c",
        Category.THREE_OF_A_KIND: "8s 8h 8d Kc 5s",
        Category.TWO_PAIR: "Js Jd 4h 4c As",
        Category.PAIR: "Ts Th Kd 7c 4s",
        Category.HIGH_CARD: "As Qd 9h 6c 3s",
    },
    4: {
        Category.FOUR_OF_A_KIND: "Qs Qh Qd Qc",
        Category.STRAIGHT_FLUSH: "9h 8h 7h 6h",
        Category.THREE_OF_A_KIND: "8s 8h 8d Kc",
        Category.FLUSH: "Ad Jd 8d 3d",
        Category.STRAIGHT: "Tc 9d 8s 7h",
        Category.TWO_PAIR: "Js Jd 4h 4c",
        Category.PAIR: "Ts Th Kd 7c",
        Category.HIGH_CARD: "As Qd 9h 3s",
    },
    3: {
        Category.STRAIGHT_FLUSH: "9h 8h 7h",
        Category.THREE_OF_A_KIND: "8s 8h 8d",
        Category.STRAIGHT: "Tc 9d 8s",
        Category.FLUSH: "Ad Jd 3d",
        Category.PAIR: "Ts Th Kd",
        Category.HIGH_CARD: "As Qd 9h",
    },
}


def hand_examples(ranking: Ranking) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each category with cards that make it, the highest first; none for a size without."""
    examples = _EXAMPLES.get(ranking.size, {})
    return tuple(
        (str(category), tuple(examples[category].split()))
        for category in reversed(ranking.order)
        if category in examples
    )
