"""What the pages say to type."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def commands(page: str, section: str = "") -> list[str]:
    """Each command in the code blocks of a page, or of a section without those below it: for root's
    shell, without comments and sudo. Blocks with a language hold no commands; those of
    pages about formats hold none either."""
    text = (ROOT / page).read_text()
    if section:
        (text,) = re.findall(rf"^#+ {re.escape(section)}\n(.*?)(?=^#+ |\Z)", text, re.M | re.S)
    blocks = re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, re.M | re.S)
    lines = "".join(block for language, block in blocks if not language)
    bare = [re.sub(r"(^|\s+)#.*", "", line).strip() for line in lines.replace("\\\n", " ").splitlines()]
    return [line.removeprefix("sudo ") for line in bare if line]


def examples_of_the_man_page() -> list[str]:
    text = (ROOT / "deploy/man/tidegauge.1.in").read_text()
    (block,) = re.findall(r"^\.SH EXAMPLES\n\.nf\n(.*?)^\.fi", text, re.M | re.S)
    return block.replace("\\-", "-").splitlines()
