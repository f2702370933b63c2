"""Names of files say what is in them."""

import re
from pathlib import PurePosixPath

from source_tree import Tree, main

# Words under which anything could lie.
EMPTY_WORDS = {
    "base", "common", "helper", "helpers", "manager", "misc", "stuff", "util", "utils",
}
CODE = (".cc", ".h", ".py")
OTHER_SUFFIXES = (".cpp", ".cxx", ".hpp", ".hh", ".C")


def problems(tree: Tree) -> list[str]:
    found = []
    for path in tree.files(*CODE, *OTHER_SUFFIXES):
        name = PurePosixPath(path)
        for part in (*name.parts[:-1], name.stem):
            if words := EMPTY_WORDS & set(re.split(r"[_\-.]", part.lower())):
                found.append(f"{path}: '{words.pop()}' says nothing")
        if name.suffix in OTHER_SUFFIXES:
            found.append(f"{path}: C++ files end in .cc and .h")
        if not re.fullmatch(r"_*[a-z][a-z0-9_]*", name.stem):
            found.append(f"{path}: not in snake_case")
    return found


if __name__ == "__main__":
    main(problems)
