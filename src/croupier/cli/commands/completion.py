"""``croupier completion``: a script that completes commands and options in a shell."""

from __future__ import annotations

from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> int:
    """Print the script that completes commands in your shell.

    For example:

        croupier completion bash > ~/.local/share/bash-completion/completions/croupier

        croupier completion zsh > ~/.zfunc/_croupier

        croupier completion fish > ~/.config/fish/completions/croupier.fish

    Parameters
    ----------
    shell
        Yours: bash (with the package bash-completion), zsh (with ~/.zfunc in fpath) or fish.
    """
    from croupier.cli.program import app  # which names this command among the others

    print(app.generate_completion(shell=shell))
    return 0
