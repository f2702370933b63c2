import contextlib
import io
import json
import unittest

from tidy import run, without_repeats
from tiny_tree import TinyTreeTest

GOOD = '#include "core/a.h"\n\nint Count() { return 1; }\n'
BAD = '#include "core/a.h"\n\nint count_Things() { return 1; }\n'


class TidyTest(TinyTreeTest):
    def setUp(self):
        super().setUp()
        self.write(".clang-tidy", """\
            Checks: -*,readability-identifier-naming
            WarningsAsErrors: '*'
            CheckOptions:
              readability-identifier-naming.FunctionCase: CamelCase
            """)
        self.write("core/a.h", "#pragma once\n")
        self.write("core/a.cc", GOOD)
        self.list_files("core/a.cc")

    def list_files(self, *paths):
        self.write("build/compile_commands.json", json.dumps([
            {"directory": str(self.root), "file": str(self.root / path),
             "command": f"c++ -std=c++23 -I{self.root} -c {self.root / path}"} for path in paths]))

    def run_tidy(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = run(self.tree({}), self.root / "build", 1)
        return status, output.getvalue()

    def test_a_clean_file_is_looked_at_once(self):
        self.assertEqual(self.run_tidy(), (0, "tidy: 1 of 1 files looked at, 0 with complaints\n"))
        self.assertEqual(self.run_tidy(), (0, "tidy: 0 of 1 files looked at, 0 with complaints\n"))

    def test_a_complaint_fails_every_time(self):
        self.write("core/a.cc", BAD)
        for _ in range(2):
            status, output = self.run_tidy()
            self.assertEqual(status, 1)
            self.assertIn("invalid case style for function 'count_Things'", output)

    def test_a_changed_header_is_looked_at_again(self):
        self.run_tidy()
        self.write("core/a.h", "#pragma once\n\nint Other();\n")
        self.assertIn("1 of 1 files looked at", self.run_tidy()[1])

    def test_a_file_of_no_target(self):
        self.write("core/b.cc", GOOD)
        status, output = self.run_tidy()
        self.assertEqual(status, 1)
        self.assertIn("core/b.cc: belongs to no target", output)

    def test_a_fault_in_a_header_is_shown_once(self):
        text = "/x/a.h:1:1: error: one\n  1 | int\n"
        seen = set()
        self.assertEqual(without_repeats(text, seen), text)
        self.assertEqual(without_repeats(text + "/x/b.cc:2:1: error: two\n", seen),
                         "/x/b.cc:2:1: error: two\n")


if __name__ == "__main__":
    unittest.main()
