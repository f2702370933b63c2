#include "config/mistake.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(Render, shows_mistakes_by_place_and_those_without_one_first) {
  EXPECT_EQ(Render("f.yaml", {{7, 3, "second"}, {0, 0, "whole"}, {2, 1, "first"}, {7, 1, "third"}}),
            "f.yaml: whole\nf.yaml:2: first\nf.yaml:7: third\nf.yaml:7: second\n");
  EXPECT_EQ(Render("f.yaml", {}), "");
}

TEST(InOrder, counts_what_is_beyond_a_hundred) {
  Mistakes mistakes;
  for (int line = 150; line > 0; --line) mistakes.push_back({line, 1, "m"});
  const Mistakes ordered = InOrder(mistakes);
  ASSERT_EQ(ordered.size(), 101);
  EXPECT_EQ(ordered[0].line, 1);
  EXPECT_EQ(ordered[100], (Mistake{100, 0, "and 50 more mistakes"}));
}

}  // namespace
}  // namespace tidegauge
