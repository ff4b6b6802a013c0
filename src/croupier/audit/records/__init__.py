"""Round records: one line of JSON a round, in which any system can write down what happened."""
