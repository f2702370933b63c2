"""Links in Markdown lead somewhere: to a file of the tree, and to a heading that is in it."""

import posixpath
import re

from source_tree import Tree, main

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def without_code(text: str) -> str:
    """Blanks out code, keeping the lines."""
    text = re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda m: " " * len(m[0]), text)


def anchors(text: str) -> set[str]:
    """As the usual renderers name headings."""
    found = set()
    for title in re.findall(r"^#+ +(.*)$", text, re.M):
        found.add(re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-"))
    return found


def link_problem(tree: Tree, page: str, link: str) -> str | None:
    target, _, anchor = link.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page
    if not tree.exists(path):
        return f"{link}: no such file"
    if anchor and path.endswith(".md") and anchor not in anchors(tree.text(path)):
        return f"{link}: no such heading"
    return None


def problems(tree: Tree) -> list[str]:
    found = []
    for page in tree.files(".md"):
        for number, line in enumerate(without_code(tree.text(page)).splitlines(), 1):
            for link in LINK.findall(line):
                if re.match(r"[a-z]+:", link):
                    continue
                if problem := link_problem(tree, page, link):
                    found.append(f"{page}:{number}: {problem}")
    return found


if __name__ == "__main__":
    main(problems)
