"""What chance does to a bankroll and to a house: exact where it can be, with a bound where not."""
