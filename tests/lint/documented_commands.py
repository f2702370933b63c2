"""What the documents say to type works: documented_commands.py ROOT BINARY

Each flag behind `tidegauge ...` is one that this command has, and each configuration is valid.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from source_tree import Tree

COMMANDS = {"check", "record", "ack", "history", "demo", "config", "gate", "plan"}
NESTED = {"config", "gate"}  # whose next word is a command too
LEAST = {"kafka": "{name: main, bootstrap_servers: b:9092}", "queries": "{name: q, checkpoint: /c}"}


def blocks(text: str, language: str) -> list[str]:
    every = re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, re.M | re.S)
    return [block for named, block in every if named == language]


def commands(text: str) -> list[list[str]]:
    """The words of each tidegauge command in a code block, comments left out."""
    found = []
    for block in blocks(text, ""):
        for line in block.replace("\\\n", " ").splitlines():
            words = re.sub(r"\s#.*", "", line).split()
            if words and words[0] == "tidegauge":
                found.append(words[1:])
    return found


def run(binary: Path, *arguments: str) -> tuple[int, str]:
    result = subprocess.run([binary, *arguments], capture_output=True, text=True, check=False,
                            env={**os.environ, "CREDENTIALS_DIRECTORY": "/run/credentials/of-it"})
    return result.returncode, result.stdout + result.stderr


def command_problems(binary: Path, words: list[str]) -> list[str]:
    path = []
    for word in words:
        if word.startswith("-") or (not path and word not in COMMANDS):
            break
        path.append(word)
        if path[0] not in NESTED or len(path) == 2:
            break
    status, text = run(binary, *path, "--help")
    name = " ".join(["tidegauge", *path])
    if status != 0:
        return [f"{name} --help: exit status {status}"]
    flags = {word.split("=")[0] for word in words if word.startswith("--")}
    return [f"{name} has no {flag}" for flag in sorted(flags)
            if not re.search(rf"{re.escape(flag)}(?![\w.-])", text)]


def config_problems(binary: Path, config: str) -> list[str]:
    for section, least in LEAST.items():  # what an example leaves out
        if not re.search(rf"^{section}:", config, re.M):
            config += f"{section}: [{least}]\n"
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        # The file is the reader's; that the example names it is enough.
        file.write(config.replace("/etc/tidegauge/kafka-password", file.name))
        file.flush()
        status, text = run(binary, "config", "check", f"--config.file={file.name}")
    return [] if status == 0 else [f"not a valid configuration: {text.strip()}"]


def problems(tree: Tree, binary: Path) -> list[str]:
    found = []
    seen = 0
    for page in tree.files(".md"):
        text = tree.text(page)
        here = []
        for words in commands(text):
            seen += 1
            here += command_problems(binary, words)
        for block in blocks(text, "yaml"):
            if block.startswith(("kafka:", "queries:", "alertmanager:")):
                here += config_problems(binary, block)
        found += [f"{page}: {problem}" for problem in here]
    return found if seen else ["no document has a command"]


if __name__ == "__main__":
    complaints = problems(Tree(Path(sys.argv[1])), Path(sys.argv[2]))
    print("\n".join(complaints))
    sys.exit(1 if complaints else 0)
