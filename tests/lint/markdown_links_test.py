import unittest

from markdown_links import problems
from tiny_tree import TinyTreeTest


class MarkdownLinksTest(TinyTreeTest):
    def found(self, text):
        return problems(self.tree({
            "docs/page.md": f"# Page\n\n{text}\n", "docs/other.md": "## How long, and why?\n",
            "README.md": "# Read me\n"}))

    def test_links_that_lead_somewhere(self):
        self.assertEqual(self.found(
            "[a](other.md) [b](../README.md#read-me) [c](#page) [d](other.md#how-long-and-why) "
            "[e](https://example.org/x)"), [])

    def test_a_file_that_is_not_there(self):
        self.assert_one(self.found("[a](gone.md)"), "docs/page.md:3", "no such file")

    def test_a_heading_that_is_not_there(self):
        self.assert_one(self.found("[a](other.md#how-short)"), "no such heading")

    def test_code_is_not_read(self):
        self.assertEqual(self.found("`[a](gone.md)`\n```\n[a](gone.md)\n```"), [])


if __name__ == "__main__":
    unittest.main()
