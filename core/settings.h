// How a settings struct names, documents and binds its fields: each is declared once, in a function
// that shows every field to a visitor. The loader writes through it; the printer and the reference
// page read through it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/model.h"

namespace tidegauge {

/// Sees each field of a settings struct: its key in the YAML file, the bound member, and one
/// sentence on what it does. A reader assigns to `value`; a printer only looks.
class SettingsVisitor {
 public:
  virtual ~SettingsVisitor() = default;

  virtual void Field(std::string_view name, bool& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, std::int64_t& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, double& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, std::string& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, Duration& value, std::string_view doc) = 0;
  virtual void Field(std::string_view name, Severity& value, std::string_view doc) = 0;
};

}  // namespace tidegauge
