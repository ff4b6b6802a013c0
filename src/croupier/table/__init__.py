"""The table: what a finished round pays, and which rounds could not have happened."""
