"""Commands and flags, as --help says them."""

import re
import subprocess
from pathlib import Path


def help_text(binary: Path, path: list[str]) -> str:
    return subprocess.run([binary, *path, "--help"], check=True, capture_output=True, text=True).stdout


def flags_in(text: str) -> set[str]:
    return set(re.findall(r"(?m)^  (?:-\w,)?(--[\w.-]+)", text))


def commands_in(text: str) -> list[str]:
    return re.findall(r"(?m)^  ([a-z]\S*)", text.partition("Subcommands:")[2])


def all_commands(binary: Path, path: list[str] | None = None) -> dict[str, str]:
    """The help text of each command, by its words; "" is the daemon."""
    path = path or []
    text = help_text(binary, path)
    found = {" ".join(path): text}
    for command in commands_in(text):
        found |= all_commands(binary, [*path, command])
    return found
