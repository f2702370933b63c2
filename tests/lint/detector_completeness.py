"""A detector is one id in five places (CONTRIBUTING.md). Names whatever is missing."""

import re
from pathlib import PurePosixPath

from source_tree import Tree, main

FOLDER = "core/detectors"
LIST = f"{FOLDER}/all.cc"
REFERENCE = "config/reference.yaml"
HEADINGS = ["Meaning", "Impact", "Diagnosis", "Mitigation"]


def stems(tree: Tree, folder: str, suffix: str) -> set[str]:
    return {
        PurePosixPath(path).name.removesuffix(suffix)
        for path in tree.files(suffix, under=(folder,))
    }


def snake_case(camel: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", camel).lower()


def declared_ids(tree: Tree) -> dict[str, str]:
    """Stem of each file that declares a detector, with the id declared in it."""
    found = {}
    for stem in stems(tree, FOLDER, ".cc"):
        match = re.search(r'DetectorInfo \w+\{\s*\.id = "(\w+)"', tree.text(f"{FOLDER}/{stem}.cc"))
        if match:
            found[stem] = match[1]
    return found


def listed_ids(tree: Tree) -> set[str]:
    text = tree.text(LIST) if tree.exists(LIST) else ""
    declared = re.findall(r"^DetectorPtr Make(\w+)\(\);", text, re.M)
    listed = re.findall(r"^\s+all\.push_back\(Make(\w+)\(\)\);", text, re.M)
    return {snake_case(name) for name in set(declared) & set(listed)}


def configured_ids(tree: Tree) -> set[str]:
    text = tree.text(REFERENCE) if tree.exists(REFERENCE) else ""
    return set(re.findall(r"^[#\s]*(\w+):\s*$", text, re.M))


def page_problems(tree: Tree, path: str) -> list[str]:
    lines = tree.text(path).splitlines()
    found = []
    if not lines or lines[0] != f"# {PurePosixPath(path).stem}":
        found.append(f"{path}: its title is not the id")
    headings = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    if headings != HEADINGS:
        found.append(f"{path}: its headings are {headings}, not {HEADINGS}")
    return found


def problems(tree: Tree) -> list[str]:
    declared = declared_ids(tree)
    pages = stems(tree, "docs/detectors", ".md") - {"README"}
    tests = stems(tree, "tests/detectors", "_test.cc")
    listed = listed_ids(tree)
    configured = configured_ids(tree)
    found = [
        f"{FOLDER}/{stem}.cc: declares the id {name}, which is not its own name"
        for stem, name in sorted(declared.items()) if stem != name
    ]
    for name in sorted(set(declared.values()) | listed | pages):
        places = {
            f"{FOLDER}/{name}.cc": name in declared,
            f"the list in {LIST}": name in listed,
            f"tests/detectors/{name}_test.cc": name in tests,
            f"docs/detectors/{name}.md": name in pages,
            f"an entry in {REFERENCE}": name in configured,
        }
        found += [f"{name}: lacks {place}" for place, is_there in places.items() if not is_there]
    for name in sorted(pages):
        found += page_problems(tree, f"docs/detectors/{name}.md")
    if not declared:
        found.append(f"{FOLDER}: no detector at all")
    return found


if __name__ == "__main__":
    main(problems)
