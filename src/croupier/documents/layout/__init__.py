"""The table layout: planned in millimeters, drawn as SVG, checked against the rulebook."""
