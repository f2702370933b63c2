"""A tree of a few files, for showing that a lint sees what it is there for."""

import tempfile
import textwrap
import unittest
from pathlib import Path

from source_tree import Tree


class TinyTreeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def tree(self, files: dict[str, str]) -> Tree:
        for path, text in files.items():
            self.write(path, text)
        return Tree(self.root)

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        return file

    def assert_one(self, found: list[str], *parts: str) -> None:
        """Exactly one problem was found, and it names all of these."""
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])
