"""What a large log shows as a whole: cards, hands and results against what is exact."""
