import unittest

from clang_format import problems
from tiny_tree import TinyTreeTest


class ClangFormatTest(TinyTreeTest):
    def found(self, text):
        return problems(self.tree({".clang-format": "BasedOnStyle: Google\n", "core/a.cc": text}))

    def test_a_formatted_file(self):
        self.assertEqual(self.found("int Count() { return 1; }\n"), [])

    def test_another_style(self):
        self.assert_one(self.found("int Count()\n{\n    return 1;\n}\n"), "core/a.cc:1")


if __name__ == "__main__":
    unittest.main()
