"""clang-tidy over the whole program: tidy.py ROOT BUILD

A file that passed is not looked at again while it, what it includes of ours, its compile command,
.clang-tidy and clang-tidy itself stay the same.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source_tree import PRODUCTION, Tree

TIDY = "clang-tidy-19"
# The compile commands are g++'s: it knows other warnings, and marks its own headers as its own.
OTHER_COMPILER = ("--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-error")


def closure(tree: Tree, path: str) -> list[str]:
    """The file and all of ours that it includes, directly or not."""
    seen: set[str] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in seen and tree.exists(file):
            seen.add(file)
            waiting += [i.target for i in tree.includes(file) if not i.is_system]
    return sorted(seen)


def compile_commands(tree: Tree, build: Path) -> dict[str, str]:
    entries = json.loads((build / "compile_commands.json").read_text())
    root = tree.root.resolve()
    return {
        Path(entry["file"]).resolve().relative_to(root).as_posix(): entry["command"]
        for entry in entries
        if Path(entry["file"]).resolve().is_relative_to(root)
    }


class Cache:
    def __init__(self, tree: Tree, folder: Path):
        self.tree = tree
        self.folder = folder
        folder.mkdir(exist_ok=True)
        version = subprocess.run([TIDY, "--version"], capture_output=True, text=True, check=True)
        self.common = version.stdout + tree.text(".clang-tidy")

    def stamp(self, path: str, command: str) -> Path:
        digest = hashlib.sha256((self.common + command).encode())
        for file in closure(self.tree, path):
            digest.update(file.encode() + b"\0" + self.tree.text(file).encode() + b"\0")
        return self.folder / digest.hexdigest()


def complaints(tree: Tree, build: Path, path: str) -> str:
    """What clang-tidy says of the file; empty where it says nothing."""
    result = subprocess.run(
        [TIDY, "-p", build, "--quiet", *OTHER_COMPILER, path],
        cwd=tree.root, capture_output=True, text=True, check=False)
    if result.returncode == 0:
        return ""
    return result.stdout or result.stderr


def slowest_first(tree: Tree, paths: list[str]) -> list[str]:
    """Boost takes many times as long as anything else: alone at the end it would keep one core idle."""
    return sorted(paths, key=lambda path: "<boost/" not in tree.text(path))


def without_repeats(text: str, seen: set[str]) -> str:
    """A fault in a header shows up in every file that includes it: once is enough."""
    kept = []
    for complaint in re.split(r"(?m)^(?=/\S+:\d+:\d+: (?:error|warning))", text):
        if complaint not in seen:
            seen.add(complaint)
            kept.append(complaint)
    return "".join(kept)


def run(tree: Tree, build: Path, jobs: int) -> int:
    commands = compile_commands(tree, build)
    paths = tree.files(".cc", under=PRODUCTION)
    failures = [path for path in paths if path not in commands]
    for path in failures:
        print(f"{path}: belongs to no target")
    cache = Cache(tree, build / "tidy")
    stamps = {path: cache.stamp(path, commands[path]) for path in paths if path in commands}
    changed = slowest_first(tree, [path for path, stamp in stamps.items() if not stamp.exists()])
    seen: set[str] = set()
    with ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda path: complaints(tree, build, path), changed)
        for path, text in zip(changed, results):
            if text:
                failures.append(path)
                print(without_repeats(text, seen), end="", flush=True)
            else:
                stamps[path].touch()
    print(f"tidy: {len(changed)} of {len(paths)} files looked at, {len(failures)} with complaints")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(run(Tree(Path(sys.argv[1])), Path(sys.argv[2]), os.cpu_count() or 1))
