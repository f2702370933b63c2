"""How long files and functions are: prints medians, fails where one is too long without a reason."""

import ast
import re
import statistics
from pathlib import Path
from typing import Iterator, NamedTuple

from source_tree import PRODUCTION, Tree, main

FILE_LINES = 400
FUNCTION_LINES = 60

# What may be longer, and why: "path" or "path:function".
REASONS: dict[str, str] = {}

CONTROL = re.compile(
    r"\b(if|for|while|switch|catch|do|else|try|return|namespace|class|struct|enum|union)\b")
LAMBDA = re.compile(r"(?<!\[)\[[^\[\]]*\]\s*[({]")


class Function(NamedTuple):
    name: str
    line: int
    length: int


def cpp_functions(text: str) -> Iterator[Function]:
    """Relies on clang-format: a function ends at the first brace that stands as far left as it began."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        match = re.match(r"( *)([A-Za-z~].*)$", line)
        if not match or len(match[1]) > 4 or CONTROL.search(line.split("(")[0]):
            continue
        signature = number
        while signature < len(lines) and not re.search(r"[{;}]\s*$", lines[signature]):
            signature += 1
        head = " ".join(lines[number:signature + 1])
        if not re.match(r"[^=]*\w\(.*\{$", head) or LAMBDA.search(head):
            continue
        for end in range(signature + 1, len(lines)):
            if re.match(rf"{match[1]}\}}", lines[end]):
                name = re.match(r"[^(]*?([\w:~]+)\(", head)
                yield Function(name[1] if name else "?", number + 1, end - number + 1)
                break


def python_functions(text: str) -> Iterator[Function]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            yield Function(node.name, node.lineno, node.end_lineno - node.lineno + 1)


def functions(path: str, text: str) -> list[Function]:
    return list(python_functions(text) if path.endswith(".py") else cpp_functions(text))


def report(tree: Tree) -> None:
    texts = {path: tree.text(path) for path in tree.files(".cc", ".h", under=PRODUCTION)}
    files = [len(text.splitlines()) for text in texts.values()]
    lengths = [f.length for path, text in texts.items() for f in functions(path, text)]
    if files and lengths:
        print(f"sizes: {len(files)} files, median {statistics.median(files):.0f} lines, most "
              f"{max(files)}; {len(lengths)} functions of more than a line, median "
              f"{statistics.median(lengths):.0f}, most {max(lengths)}")


def problems(tree: Tree) -> list[str]:
    report(tree)
    found = []
    used = set()
    for path in tree.files(".cc", ".h", ".py"):
        text = tree.text(path)
        sizes = [(path, 1, len(text.splitlines()), FILE_LINES)]
        sizes += [(f"{path}:{f.name}", f.line, f.length, FUNCTION_LINES)
                  for f in functions(path, text)]
        for name, line, length, most in sizes:
            if length <= most:
                continue
            used.add(name)
            if name not in REASONS:
                found.append(
                    f"{path}:{line}: {Path(name).name} has {length} lines, more than {most}")
    found += [f"{name}: needs no reason in sizes.py any more" for name in REASONS.keys() - used]
    return found


if __name__ == "__main__":
    main(problems)
