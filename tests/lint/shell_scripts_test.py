import unittest

from shell_scripts import problems
from tiny_tree import TinyTreeTest

GOOD = "#!/usr/bin/env bash\nset -euo pipefail\necho fine\n"


class ShellScriptsTest(TinyTreeTest):
    def found(self, text, mode=0o755):
        self.write("run", text).chmod(mode)
        return problems(self.tree({}))

    def test_a_good_script(self):
        self.assertEqual(self.found(GOOD), [])

    def test_a_script_that_bash_cannot_read(self):
        self.assertIn("syntax error", self.found(GOOD + "if true; then\n")[0])

    def test_a_script_that_goes_on_after_errors(self):
        self.assert_one(self.found(GOOD.replace("set -euo pipefail\n", "")), "set -euo pipefail")

    def test_a_script_that_cannot_be_started(self):
        self.assert_one(self.found(GOOD, mode=0o644), "not executable")

    def test_what_shellcheck_sees(self):
        self.assert_one(self.found(GOOD + "for f in $(ls *.txt | grep a); do\n  rm -r $x/$f\ndone\n"
                                   + "unused=1\n"), "SC")


if __name__ == "__main__":
    unittest.main()
