import unittest

from sizes import cpp_functions, problems
from tiny_tree import TinyTreeTest

STATEMENTS = "  ++n;\n" * 60


class SizesTest(TinyTreeTest):
    def test_a_long_file(self):
        self.assert_one(problems(self.tree({"a.h": "//\n" * 401})), "401 lines")

    def test_a_file_at_the_limit(self):
        self.assertEqual(problems(self.tree({"a.h": "//\n" * 400})), [])

    def test_a_long_function(self):
        found = problems(self.tree({"a.cc": f"int Count(int n) {{\n{STATEMENTS}}}\n"}))
        self.assert_one(found, "a.cc:1", "Count", "62 lines")

    def test_a_long_python_function(self):
        found = problems(self.tree({"a.py": "def count():\n" + "    pass\n" * 60}))
        self.assert_one(found, "a.py:1", "count")

    def test_where_functions_begin_and_end(self):
        text = """\
namespace tidegauge {
class Clock : public Base {
 public:
  explicit Clock(
      int start) {
    if (start) {
      Go();
    }
  }

  int Now() const override { return 1; }
};

Result<int> Clock::Read(const std::string& text,
                        int base) const {
  const auto parse = [&](int n) {
    return n;
  };
  return parse(1);
}

TEST(Clock, Ticks) {
  asio::post(strand, [this](int n) {
    Expect();
  });
}
}  // namespace tidegauge
"""
        self.assertEqual(
            [(f.name, f.line, f.length) for f in cpp_functions(text)],
            [("Clock", 4, 6), ("Clock::Read", 14, 7), ("TEST", 22, 5)])


if __name__ == "__main__":
    unittest.main()
