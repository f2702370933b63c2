import unittest

from detector_completeness import problems
from tiny_tree import TinyTreeTest

PAGE = "# disk_full\n\n## Meaning\n\n## Impact\n\n## Diagnosis\n\n## Mitigation\n"
COMPLETE = {
    "core/detectors/disk_full.cc": 'constexpr DetectorInfo kInfo{\n    .id = "disk_full",\n};\n',
    "core/detectors/record_counts.cc": "// no detector\n",
    "core/detectors/all.cc": (
        "DetectorPtr MakeDiskFull();\n"
        "std::vector<DetectorPtr> AllDetectors() {\n  all.push_back(MakeDiskFull());\n}\n"
    ),
    "tests/detectors/disk_full_test.cc": "",
    "docs/detectors/disk_full.md": PAGE,
    "config/reference.yaml": "detectors:\n  disk_full:\n    enabled: true\n",
}


class DetectorCompletenessTest(TinyTreeTest):
    def found(self, changes):
        files = {path: text for path, text in (COMPLETE | changes).items() if text is not None}
        return problems(self.tree(files))

    def test_a_complete_detector(self):
        self.assertEqual(self.found({}), [])

    def test_each_missing_file_is_named(self):
        for path in ("tests/detectors/disk_full_test.cc", "docs/detectors/disk_full.md"):
            with self.subTest(path):
                (self.root / path).unlink(missing_ok=True)
                self.assert_one(self.found({path: None}), f"disk_full: lacks {path}")

    def test_a_detector_that_nobody_makes(self):
        text = COMPLETE["core/detectors/all.cc"].replace("  all.push_back(MakeDiskFull());\n", "")
        self.assert_one(self.found({"core/detectors/all.cc": text}), "lacks the list")

    def test_a_detector_without_settings_page(self):
        self.assert_one(self.found({"config/reference.yaml": "detectors:\n"}), "lacks an entry")

    def test_a_page_for_a_detector_that_is_gone(self):
        found = self.found({"docs/detectors/gone.md": PAGE.replace("disk_full", "gone")})
        self.assertIn("gone: lacks core/detectors/gone.cc", found)

    def test_an_id_that_is_not_the_file_name(self):
        text = COMPLETE["core/detectors/disk_full.cc"].replace("disk_full", "disc_full")
        self.assertIn("disc_full", self.found({"core/detectors/disk_full.cc": text})[0])

    def test_a_page_without_a_heading(self):
        text = PAGE.replace("## Diagnosis\n", "")
        self.assert_one(self.found({"docs/detectors/disk_full.md": text}), "its headings are")

    def test_a_page_under_another_title(self):
        text = PAGE.replace("# disk_full", "# Disk full")
        self.assert_one(self.found({"docs/detectors/disk_full.md": text}), "title")

    def test_a_list_that_became_unreadable_to_this_lint(self):
        found = self.found({"core/detectors/disk_full.cc": None, "core/detectors/all.cc": None})
        self.assertIn("core/detectors: no detector at all", found)


if __name__ == "__main__":
    unittest.main()
