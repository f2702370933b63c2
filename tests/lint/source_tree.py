"""What the lints read: the files of a tree, and what its C++ files include."""

import os
import re
import sys
from pathlib import Path
from typing import Callable, NamedTuple

# Folders of the program; tests mirror them.
PRODUCTION = ("core", "config", "daemon")
# Not sources: what git, the build and tools keep in the tree.
FOREIGN = {".git", "build", "__pycache__", ".pytest_cache", ".cache"}


class Include(NamedTuple):
    line: int
    target: str
    is_system: bool


class Tree:
    def __init__(self, root: Path):
        self.root = root

    def files(self, *suffixes: str, under: tuple[str, ...] = ("",)) -> list[str]:
        """Paths from the root, sorted. Without suffixes: every file."""
        found = []
        for top in under:
            for folder, folders, names in os.walk(self.root / top):
                folders[:] = [name for name in folders if name not in FOREIGN]
                found += [
                    Path(folder, name).relative_to(self.root).as_posix()
                    for name in names
                    if not suffixes or name.endswith(suffixes)
                ]
        return sorted(set(found))

    def text(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def exists(self, path: str) -> bool:
        return (self.root / path).exists()

    def includes(self, path: str) -> list[Include]:
        pattern = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
        found = []
        for number, line in enumerate(self.text(path).splitlines(), 1):
            if match := pattern.match(line):
                found.append(Include(number, match[2], match[1] == "<"))
        return found


def main(problems: Callable[[Tree], list[str]]) -> None:
    """Checks the tree named on the command line: prints each problem, fails if there is one."""
    found = problems(Tree(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    for problem in found:
        print(problem)
    sys.exit(1 if found else 0)
