"""What must not be committed: where one machine keeps things, and from where it fetches them."""

import re

from source_tree import Tree, main

# A letter in brackets keeps a pattern from finding itself.
FORBIDDEN = {
    r"/wor[k]/": "a path of one machine",
    r"/roo[t]/": "a path of one machine",
    r"/hom[e]/\w": "a path of one machine",
    r"/op[t]/(?!tidegauge-deps)": "a path of one machine",
    r"\b(?:repo1?|central)\.(?:maven|sonatype)\.(?:apache\.)?or[g]": "a registry's host",
    r"\b(?:pypi|pythonhosted)\.or[g]": "a registry's host",
    r"\bdeb\.debian\.or[g]": "a registry's host",
    r"\b(?:registry\.npmjs|crates)\.(?:org|i[o])": "a registry's host",
    r"\b(?:docker|ghcr|quay)\.i[o]\b": "a registry's host",
    r"\b(?:artifactory|nexus|index-url|extra-index)[.:=/]": "a registry's address",
    r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b": "unfinished work: do it, or file it",
}


def problems(tree: Tree) -> list[str]:
    found = []
    for path in tree.files():
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            for pattern, what in FORBIDDEN.items():
                if match := re.search(pattern, line):
                    found.append(f"{path}:{number}: {match[0]}: {what}")
    return found


if __name__ == "__main__":
    main(problems)
