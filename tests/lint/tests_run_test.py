"""tests/run on a project of a few made-up tests: what it runs, and when it fails."""

import shutil
import subprocess
import unittest
from pathlib import Path

from tiny_tree import TinyTreeTest

RUN = Path(__file__).parent.parent / "run"

PROJECT = """\
    cmake_minimum_required(VERSION 3.25)
    project(tiny LANGUAGES NONE)
    option(TIDEGAUGE_TESTS "" ON)
    if(NOT TIDEGAUGE_TESTS)
      return()
    endif()
    enable_testing()
    add_subdirectory(tests/daemon)
    add_test(NAME good COMMAND true)
    add_test(NAME bad COMMAND false)
    add_test(NAME idle COMMAND sh -c "exit 77")
    add_test(NAME figures COMMAND false)
    set_tests_properties(good PROPERTIES LABELS unit)
    set_tests_properties(bad PROPERTIES LABELS golden)
    set_tests_properties(idle PROPERTIES LABELS mock SKIP_RETURN_CODE 77)
    set_tests_properties(figures PROPERTIES LABELS bench)
    """
DAEMON = """\
    add_test(NAME threads COMMAND true)
    set_tests_properties(threads PROPERTIES LABELS unit)
    """
PRESETS = """\
    {"version": 6, "configurePresets": [
      {"name": "base", "hidden": true, "generator": "Ninja",
       "binaryDir": "${sourceDir}/build/${presetName}"},
      {"name": "dev", "inherits": "base"}, {"name": "release", "inherits": "base"},
      {"name": "asan", "inherits": "base"}, {"name": "tsan", "inherits": "base"}]}
    """


class TestsRunTest(TinyTreeTest):
    def setUp(self):
        super().setUp()
        self.tree({"CMakeLists.txt": PROJECT, "tests/daemon/CMakeLists.txt": DAEMON,
                   "CMakePresets.json": PRESETS})
        for script in ("run", "failures"):
            shutil.copy(RUN.parent / script, self.root / "tests")
        self.write("deploy/install-deps", "#!/bin/sh\necho \"$*\" >>installed\n").chmod(0o755)

    def drop(self, *names):
        """Leaves tests out of the project."""
        lines = PROJECT.splitlines()
        kept = [line for line in lines if not any(f"({name} " in line or f"NAME {name} " in line
                                                  for name in names)]
        self.write("CMakeLists.txt", "\n".join(kept) + "\n")

    def run_tests(self, *arguments):
        result = subprocess.run([self.root / "tests/run", *arguments],
                                capture_output=True, text=True, check=False)
        return result.returncode, (result.stdout + result.stderr).strip().splitlines()

    def test_one_label(self):
        status, output = self.run_tests("--label", "unit")
        self.assertEqual((status, output[-1].split(" in ")[0]), (0, "tests/run: 2 tests passed"))
        self.assertEqual((self.root / "installed").read_text(), "test\n")
        self.assertEqual([path.name for path in (self.root / "build").iterdir()], ["dev"])

    def test_a_build_that_the_demo_left_without_tests(self):
        subprocess.run(["cmake", "--preset", "dev", "-DTIDEGAUGE_TESTS=OFF"], cwd=self.root,
                       capture_output=True, check=True)
        self.assertEqual(self.run_tests("--label", "unit")[0], 0)

    def test_a_failing_test(self):
        status, output = self.run_tests("--label", "unit", "--label", "golden")
        self.assertEqual((status, output[-1]), (1, "tests/run: FAILED: dev: 1 failed"))
        self.assertIn("tests/run: fail: bad", output)

    def test_a_skipped_test(self):
        status, output = self.run_tests("--label", "mock")
        self.assertEqual((status, output[-1]), (1, "tests/run: FAILED: dev: 1 skipped"))

    def test_a_label_without_tests(self):
        status, output = self.run_tests("--label", "fuzz")
        self.assertEqual(status, 1)
        self.assertIn("no test ran", output[-1])

    def test_a_label_that_there_is_not(self):
        self.assertEqual(self.run_tests("--label", "units")[0], 2)

    def test_a_build_that_fails(self):
        self.write("CMakeLists.txt", "message(FATAL_ERROR no)\n")
        status, output = self.run_tests("--label", "unit")
        self.assertEqual((status, output[-1]), (1, "tests/run: FAILED: dev: no build"))

    def test_everything(self):
        self.drop("bad", "idle")
        status, output = self.run_tests()
        # Twice two in release and asan, one in tsan; the benchmark, which fails, is left out.
        self.assertEqual((status, output[-1].split(" in ")[0]), (0, "tests/run: 5 tests passed"))
        self.assertEqual((self.root / "installed").read_text(), "e2e\n")

    def test_everything_tells_each_failure(self):
        status, output = self.run_tests()
        self.assertEqual(status, 1)
        for line in ("release: 1 skipped", "release: 1 failed", "asan: 1 skipped",
                     "asan: 1 failed"):
            self.assertIn(f"tests/run: FAILED: {line}", output)


if __name__ == "__main__":
    unittest.main()
