import unittest

from forbidden_words import problems
from tiny_tree import TinyTreeTest


class ForbiddenWordsTest(TinyTreeTest):
    def found(self, line):
        return problems(self.tree({"a.md": f"fine\n{line}\n"}))

    def test_plain_text(self):
        self.assertEqual(self.found("/opt/tidegauge-deps and /var/lib/tidegauge; todo lists"), [])

    def test_each_kind(self):
        for line in (
            "see /wor" + "k/main",
            "see /hom" + "e/me/x",
            "see /op" + "t/elsewhere",
            "https://repo.maven.apache.or" + "g/maven2",
            "https://pypi.or" + "g/simple",
            "FROM docker.i" + "o/library/debian",
            "// TOD" + "O: later",
        ):
            with self.subTest(line):
                self.assert_one(self.found(line), "a.md:2")


if __name__ == "__main__":
    unittest.main()
