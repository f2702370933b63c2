import unittest

from file_names import problems
from tiny_tree import TinyTreeTest


class FileNamesTest(TinyTreeTest):
    def found(self, path):
        return problems(self.tree({path: ""}))

    def test_names_that_say_something(self):
        files = {"daemon/state/database.cc": "", "tests/support/__init__.py": ""}
        self.assertEqual(problems(self.tree(files)), [])

    def test_a_file_for_anything(self):
        self.assert_one(self.found("core/string_utils.cc"), "'utils'")

    def test_a_folder_for_anything(self):
        self.assert_one(self.found("core/common/text.h"), "'common'")

    def test_another_suffix(self):
        self.assert_one(self.found("core/text.cpp"), ".cc")

    def test_another_case(self):
        self.assert_one(self.found("core/OffsetLog.cc"), "snake_case")


if __name__ == "__main__":
    unittest.main()
