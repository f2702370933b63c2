// Sets one number among a detector's settings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/settings.h"

namespace tidegauge::testing {

class SetNumber : public SettingsVisitor {
 public:
  SetNumber(std::string_view name, std::int64_t value) : name_(name), value_(value) {}
  void Field(std::string_view name, std::int64_t& value, std::string_view) override {
    if (name == name_) value = value_;
  }
  void Field(std::string_view, bool&, std::string_view) override {}
  void Field(std::string_view, double&, std::string_view) override {}
  void Field(std::string_view, std::string&, std::string_view) override {}
  void Field(std::string_view, Duration&, std::string_view) override {}
  void Field(std::string_view, Severity&, std::string_view) override {}

 private:
  std::string_view name_;
  std::int64_t value_;
};

}  // namespace tidegauge::testing
