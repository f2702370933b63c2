import unittest

from alert_pages import BASE, RULES, problems
from tiny_tree import TinyTreeTest

PAGE = """\
# disk_full

Alert: `TidegaugeDiskFull`.

## Meaning
## Impact
## Diagnosis

tidegauge check

## Mitigation

tidegauge plan
"""
OWN = "# Own\n\n## TidegaugeDown\n\n### Meaning\n### Impact\n### Diagnosis\n### Mitigation\n\n## Other\n"


def rule(alert, url):
    return (f"      - alert: {alert}\n        expr: |-\n          x == 1\n        annotations:\n"
            f'          runbook_url: "{url}"\n')


COMPLETE = {
    RULES: rule("TidegaugeDiskFull", f"{BASE}detectors/disk_full.md")
    + rule("TidegaugeDown", f"{BASE}alerts.md#tidegaugedown"),
    "docs/detectors/disk_full.md": PAGE,
    "docs/alerts.md": OWN,
}


class AlertPagesTest(TinyTreeTest):
    def found(self, changes):
        return problems(self.tree(COMPLETE | changes))

    def test_complete(self):
        self.assertEqual(self.found({}), [])

    def test_no_page(self):
        rules = rule("TidegaugeDiskFull", f"{BASE}detectors/disc_full.md")
        self.assert_one(self.found({RULES: rules}), "docs/detectors/disc_full.md: no such page")

    def test_no_heading(self):
        rules = rule("TidegaugeDown", f"{BASE}alerts.md#tidegaugeup")
        self.assert_one(self.found({RULES: rules}), "no such heading")

    def test_an_alert_without_a_page(self):
        rules = COMPLETE[RULES] + "      - alert: TidegaugeUp\n        expr: |-\n          x\n"
        self.assert_one(self.found({RULES: rules}), "3 alerts, but 2")

    def test_a_page_that_names_another_alert(self):
        page = PAGE.replace("DiskFull", "DiscFull")
        self.assert_one(self.found({"docs/detectors/disk_full.md": page}), "does not name")

    def test_a_page_without_commands(self):
        for command, part in (("check", "Diagnosis"), ("plan", "Mitigation")):
            with self.subTest(command):
                page = PAGE.replace(f"tidegauge {command}", "look")
                self.assert_one(self.found({"docs/detectors/disk_full.md": page}), part)

    def test_a_part_without_what_to_do(self):
        page = OWN.replace("### Mitigation\n", "")
        self.assert_one(self.found({"docs/alerts.md": page}), "its headings are")

    def test_a_file_without_alerts(self):
        self.assert_one(self.found({RULES: "groups: []\n"}), "no alert at all")


if __name__ == "__main__":
    unittest.main()
