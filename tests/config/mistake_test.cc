#include "config/mistake.h"

#include <gtest/gtest.h>

namespace tidegauge {
namespace {

TEST(Render, shows_mistakes_by_line_and_those_without_one_first) {
  EXPECT_EQ(Render("f.yaml", {{7, 3, "second"}, {0, 0, "whole"}, {2, 1, "first"}, {7, 1, "third"}}),
            "f.yaml: whole\nf.yaml:2: first\nf.yaml:7: second\nf.yaml:7: third\n");
  EXPECT_EQ(Render("f.yaml", {}), "");
}

}  // namespace
}  // namespace tidegauge
