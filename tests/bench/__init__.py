"""The programs that measure, as far as a reader relies on what they say."""
