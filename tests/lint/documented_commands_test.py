import unittest

from documented_commands import commands, problems
from tiny_tree import TinyTreeTest

# Knows one flag, and takes a configuration for valid that names a cluster.
BINARY = """\
    #!/bin/sh
    if [ "$1 $2" = "config check" ]; then exec grep -q '^  - name:' "${3#--config.file=}"; fi
    if [ "$1" = check ]; then echo "  --config.file TEXT"; fi
    """


class DocumentedCommandsTest(TinyTreeTest):
    def found(self, page):
        binary = self.write("tidegauge", BINARY)
        binary.chmod(0o755)
        return problems(self.tree({"README.md": page}), binary)

    def test_a_command_that_works(self):
        self.assertEqual(self.found("```\ntidegauge check --config.file=a  # look\n```\n"), [])

    def test_a_flag_that_is_not_there(self):
        self.assert_one(self.found("```\ntidegauge check --config.fil=a\n```\n"),
                        "README.md", "tidegauge check has no --config.fil")

    def test_a_continued_line(self):
        self.assertEqual(commands("```\ntidegauge check \\\n  --x\n```\n"), [["check", "--x"]])

    def test_what_stands_between_two_blocks(self):
        self.assertEqual(commands("```yaml\na: 1\n```\ntidegauge is\n```\ntidegauge check\n```\n"),
                         [["check"]])

    def test_a_configuration_that_is_wrong(self):
        self.assert_one(self.found("```\ntidegauge check\n```\n```yaml\nkafka: []\n```\n"),
                        "not a valid configuration")

    def test_a_configuration_that_is_right(self):
        self.assertEqual(
            self.found("```\ntidegauge check\n```\n```yaml\nkafka:\n  - name: a\n```\n"), [])

    def test_documents_without_commands(self):
        self.assert_one(self.found("nothing\n"), "no document")


if __name__ == "__main__":
    unittest.main()
