// Sets one field among a detector's settings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/settings.h"

namespace tidegauge::testing {

template <typename T>
class SetField : public SettingsVisitor {
 public:
  SetField(std::string_view name, T value) : name_(name), value_(std::move(value)) {}
  void Field(std::string_view name, bool& value, std::string_view) override { Take(name, value); }
  void Field(std::string_view name, std::int64_t& value, std::string_view) override {
    Take(name, value);
  }
  void Field(std::string_view name, double& value, std::string_view) override { Take(name, value); }
  void Field(std::string_view name, std::string& value, std::string_view) override {
    Take(name, value);
  }
  void Field(std::string_view name, Duration& value, std::string_view) override {
    Take(name, value);
  }
  void Field(std::string_view name, Severity& value, std::string_view) override {
    Take(name, value);
  }

 private:
  template <typename Value>
  void Take(std::string_view name, Value& value) {
    if constexpr (std::is_same_v<T, Value>) {
      if (name == name_) value = value_;
    }
  }

  std::string_view name_;
  T value_;
};

}  // namespace tidegauge::testing
