"""The pages: what a browser shows of the pit, drawn from the same Rules as everything else."""
