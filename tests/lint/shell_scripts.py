"""Shell scripts: read by bash without complaint, stop at the first error, and pass shellcheck."""

import os
import re
import subprocess

from source_tree import Tree, main

FIRST_LINE = re.compile(r"#!\s*(?:/usr/bin/env |/(?:usr/)?bin/)(bash|sh|dash)\b")


def says(command: list[str]) -> str:
    """What the command complains of; empty where it is content."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 else (result.stdout or result.stderr).strip()


def script_problems(tree: Tree, path: str, shell: str) -> list[str]:
    found = []
    file = str(tree.root / path)
    if complaint := says([shell, "-n", file]):
        found.append(f"{path}: {complaint}")
    if shell == "bash" and not re.search(r"^set -euo pipefail$", tree.text(path), re.M):
        found.append(f"{path}: lacks 'set -euo pipefail'")
    if not os.access(file, os.X_OK):
        found.append(f"{path}: is not executable")
    if complaint := says(["shellcheck", "--severity=warning", "--format=gcc", file]):
        found.append(complaint)
    return found


def problems(tree: Tree) -> list[str]:
    found = []
    for path in tree.files():
        first = tree.text(path).split("\n", 1)[0]
        if match := FIRST_LINE.match(first):
            found += script_problems(tree, path, match[1])
    return found


if __name__ == "__main__":
    main(problems)
