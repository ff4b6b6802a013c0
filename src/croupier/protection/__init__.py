"""Game protection: what cards known too early are worth, exactly, and what is done with them."""
