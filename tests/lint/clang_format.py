"""C++ files are formatted as .clang-format says. To mend: clang-format-19 -i FILE"""

import re
import subprocess

from source_tree import PRODUCTION, Tree, main


def problems(tree: Tree) -> list[str]:
    paths = tree.files(".cc", ".h", under=(*PRODUCTION, "tests"))
    result = subprocess.run(
        ["clang-format-19", "--style=file", "--dry-run", "-Werror", *paths],
        cwd=tree.root, capture_output=True, text=True, check=False)
    first_by_file: dict[str, str] = {}
    for match in re.finditer(r"^([^\s:]+):(\d+):\d+: error: (.*)$", result.stderr, re.M):
        first_by_file.setdefault(match[1], f"{match[1]}:{match[2]}: {match[3]}")
    if result.returncode and not first_by_file:
        return [result.stderr.strip()]
    return list(first_by_file.values())


if __name__ == "__main__":
    main(problems)
