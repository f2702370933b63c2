"""The man page: man_page.py BINARY TEMPLATE prints the template, with the options and commands of --help."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):
    name: str
    description: str


# A default that is read from the environment shall not say who built the page.
READER = {**os.environ, "SUDO_USER": "$USER"}


def help_text(binary: str, path: list[str]) -> str:
    return subprocess.run([binary, *path, "--help"], check=True, capture_output=True, text=True,
                          env=READER).stdout


def entries(text: str, title: str) -> list[Entry]:
    """What stands under `title`: a name in two columns' indent, its description behind or below it."""
    section = re.search(rf"^{title}:\n((?: .*\n|\n(?= ))*)", text, re.M | re.I)
    found: list[Entry] = []
    for line in section[1].splitlines() if section else []:
        if entry := re.match(r"  (\S.*?)(?: {2,}(.*))?$", line):
            found.append(Entry(entry[1].rstrip(), entry[2] or ""))
        elif found:
            last = found.pop()
            found.append(Entry(last.name, f"{last.description} {line.strip()}".strip()))
    return found


def roff(text: str) -> str:
    """`text` with nothing in it that roff would read as its own."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped.startswith((".", "'")) else escaped


def item(entry: Entry) -> str:
    flags, _, rest = entry.name.partition(" ")
    return f".TP\n\\fB{roff(flags)}\\fR{roff(' ' + rest) if rest else ''}\n{roff(entry.description)}\n"


def items(text: str, title: str) -> str:
    return "".join(item(entry) for entry in entries(text, title))


def summary(text: str) -> str:
    return text.split("\nUsage:")[0].strip()


def usage(text: str) -> str:
    return re.search(r"^Usage: (.*)$", text, re.M)[1]


def commands(binary: str, path: list[str]) -> str:
    """A section for each command below `path`, and for the commands below it."""
    page = ""
    for entry in entries(help_text(binary, path), "Subcommands"):
        below = [*path, entry.name]
        text = help_text(binary, below)
        page += f".SS \"{roff('tidegauge ' + ' '.join(below))}\"\n.I {roff(usage(text))}\n.PP\n"
        page += f"{roff(summary(text))}\n{items(text, 'Positionals')}{items(text, 'Options')}"
        page += commands(binary, below)
    return page


def man_page(binary: str, template: str) -> str:
    version = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout
    page = template.replace("@VERSION@", version.split()[-1])
    page = page.replace("@OPTIONS@\n", items(help_text(binary, []), "Options"))
    return page.replace("@COMMANDS@\n", commands(binary, []))


if __name__ == "__main__":
    print(man_page(sys.argv[1], Path(sys.argv[2]).read_text()), end="")
