"""The logins of docs/kafka_access.md."""

import re
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[3] / "docs/kafka_access.md"


def _examples():
    """{first word of the heading that says something: its blocks}"""
    found = {}
    for part in re.split(r"^### (?:A )?", DOCUMENT.read_text(), flags=re.M)[1:]:
        found[part.split()[0]] = re.findall(r"^```yaml\n(.*?)^```", part, re.M | re.S)
    return found


EXAMPLES = _examples()
