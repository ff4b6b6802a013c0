"""Facts: cards, money, odds and hands. No I/O, no clock, no randomness."""
