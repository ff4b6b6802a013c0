"""The games: one short file each, and the seam they all fit (``game``, ``rules``, ``round``)."""
