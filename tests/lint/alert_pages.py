"""Each alert leads to its runbook: the page and heading are there, it names the alert, and says what
to type."""

import re

from markdown_links import anchors
from source_tree import Tree, main

RULES = "deploy/prometheus/tidegauge.rules.yml"
# Where `make install` puts docs/, which the shipped rules point to.
BASE = "file:///usr/share/doc/tidegauge/"
PARTS = ["Meaning", "Impact", "Diagnosis", "Mitigation"]


def runbooks(text: str) -> list[tuple[str, str]]:
    """Each alert with its runbook_url."""
    return re.findall(r"- alert: (\w+)\n(?:(?!      - ).*\n)*? +runbook_url: \"([^\"]*)\"", text)


def section(text: str, title: str) -> str:
    """What is below the heading `title`, down to the next one of its rank or a higher one."""
    match = re.search(rf"^(#+) {re.escape(title)}$", text, re.M)
    if not match:
        return ""
    rest = text[match.end():]
    end = re.search(rf"^#{{1,{len(match[1])}}} ", rest, re.M)
    return rest[:end.start()] if end else rest


def detector_page_problems(alert: str, page: str) -> list[str]:
    found = []
    if f"Alert: `{alert}`." not in page:
        found.append("does not name the alert")
    if "tidegauge check" not in section(page, "Diagnosis"):
        found.append("Diagnosis has no `tidegauge check`")
    if "tidegauge plan" not in section(page, "Mitigation"):
        found.append("Mitigation has no `tidegauge plan`")
    return found


def own_page_problems(alert: str, page: str) -> list[str]:
    part = section(page, alert)
    headings = re.findall(r"^### (.*)$", part, re.M)
    return [] if headings == PARTS else [f"its headings are {headings}, not {PARTS}"]


def page_problems(tree: Tree, alert: str, url: str) -> list[str]:
    if not url.startswith(BASE):
        return [f"{url}: not below {BASE}"]
    path, _, anchor = url.removeprefix(BASE).partition("#")
    path = f"docs/{path}"
    if not tree.exists(path):
        return [f"{path}: no such page"]
    page = tree.text(path)
    if not anchor:
        return [f"{path}: {problem}" for problem in detector_page_problems(alert, page)]
    if anchor not in anchors(page):
        return [f"{path}#{anchor}: no such heading"]
    return [f"{path}#{anchor}: {problem}" for problem in own_page_problems(alert, page)]


def problems(tree: Tree) -> list[str]:
    text = tree.text(RULES)
    alerts = re.findall(r"- alert: (\w+)", text)
    found = [] if alerts else [f"{RULES}: no alert at all"]
    pairs = runbooks(text)
    if len(pairs) != len(alerts):
        found.append(f"{RULES}: {len(alerts)} alerts, but {len(pairs)} with a runbook_url")
    for alert, url in sorted(set(pairs)):
        found += [f"{alert}: {problem}" for problem in page_problems(tree, alert, url)]
    return found


if __name__ == "__main__":
    main(problems)
