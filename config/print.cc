#include "config/print.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/environment.h"
#include "config/kafka_properties.h"
#include "config/yaml_node.h"

namespace tidegauge {
namespace {

enum class Style { kEffective, kReference };

constexpr std::size_t kWidth = 100;

// Writes what it is shown. In the reference style each field comes after its sentence, and one
// without a value is commented out.
class Printer : public ConfigVisitor {
 public:
  explicit Printer(Style style) : style_(style) {}

  std::string text() && { return std::move(text_); }

  using ConfigVisitor::Field;
  void Field(std::string_view name, bool& value, std::string_view doc) override {
    Line(name, value ? "true" : "false", doc);
  }
  void Field(std::string_view name, double& value, std::string_view doc) override {
    Line(name, fmt::format("{}", value), doc);
  }
  void Field(std::string_view name, Severity& value, std::string_view doc) override {
    Line(name, ToString(value), doc);
  }
  void Field(std::string_view name, std::int64_t& value, std::string_view doc,
             const Range<std::int64_t>& /*range*/) override {
    Line(name, fmt::format("{}", value), doc);
  }
  void Field(std::string_view name, Duration& value, std::string_view doc,
             const Range<Duration>& /*range*/) override {
    Line(name, FormatDuration(value), doc);
  }
  void Field(std::string_view name, std::string& value, std::string_view doc,
             const TextTraits& traits) override {
    if (!value.empty()) {
      Line(name, Scalar(value), doc);
    } else if (style_ == Style::kReference) {
      const std::string_view prefix = traits.presence == Presence::kOptional ? "# " : "";
      Line(fmt::format("{}{}", prefix, name), YamlScalar(traits.example), doc);
    }
  }
  void Choice(std::string_view name, const ChoiceAccess& choice, std::string_view doc) override {
    Line(name, choice.names[choice.chosen], doc);
  }
  void Field(std::string_view name, StringMap& value, std::string_view doc,
             const MapTraits& traits) override {
    if (style_ == Style::kReference) {
      Line(fmt::format("# {}", name), "", doc);
      Append(indent_,
             fmt::format("#   {}: {}", traits.example_key, YamlScalar(traits.example_value)));
      return;
    }
    if (value.empty()) return;
    Line(name, "", doc);
    for (const auto& [key, text] : value) {
      const bool secret = traits.may_hold_secrets && IsSecretName(key);
      Append(indent_ + 2,
             fmt::format("{}: {}", YamlScalar(key), secret ? "<secret>" : Scalar(text)));
    }
  }
  void Group(std::string_view name, std::string_view doc, const Members& members) override;
  void Items(std::string_view name, std::string_view doc, const ListAccess& list) override;

 private:
  // YAML as it is written in a file, which is read with substitution.
  static std::string Scalar(std::string_view text) { return YamlScalar(EscapeSubstitution(text)); }

  void Line(std::string_view name, std::string_view value, std::string_view doc) {
    Comment(doc);
    Append(indent_, fmt::format("{}:{}{}", name, value.empty() ? "" : " ", value));
  }
  void Comment(std::string_view doc);
  void Append(std::size_t indent, std::string_view line);

  const Style style_;
  std::string text_;
  std::size_t indent_ = 0;
  bool item_begins_ = false;  // the next line is the first one of an element of a list
};

void Printer::Append(std::size_t indent, std::string_view line) {
  std::string margin(indent, ' ');
  if (std::exchange(item_begins_, false)) margin[indent - 2] = '-';
  text_ += margin;
  text_ += line;
  text_ += '\n';
}

void Printer::Comment(std::string_view doc) {
  if (style_ == Style::kEffective) return;
  if (indent_ == 0 && !text_.empty()) text_ += '\n';
  const std::size_t width = kWidth - indent_ - 2;
  while (!doc.empty()) {
    std::string_view line = doc.substr(0, width);
    if (line.size() < doc.size()) line = line.substr(0, doc.rfind(' ', width));
    Append(indent_, fmt::format("# {}", line));
    doc.remove_prefix(std::min(line.size() + 1, doc.size()));
  }
}

void Printer::Group(std::string_view name, std::string_view doc, const Members& members) {
  Line(name, "", doc);
  indent_ += 2;
  members(*this);
  indent_ -= 2;
}

void Printer::Items(std::string_view name, std::string_view doc, const ListAccess& list) {
  Line(name, "", doc);
  indent_ += 4;
  for (std::size_t i = 0; i < list.size(); ++i) {
    item_begins_ = true;
    list.visit(i, *this);
  }
  indent_ -= 4;
}

}  // namespace

std::string PrintConfig(const Config& config) {
  Printer printer(Style::kEffective);
  // Visitors that read files need references they can write to; this one only looks.
  Visit(printer, const_cast<Config&>(config));
  return std::move(printer).text();
}

std::string ReferencePage(std::vector<DetectorPtr> detectors) {
  Config config;
  config.kafka.resize(1);
  config.queries.resize(1);
  config.rules.detectors = std::move(detectors);
  Printer printer(Style::kReference);
  Visit(printer, config);
  return "# Every setting of tidegauge, at its default. Made from the program: do not edit.\n\n" +
         std::move(printer).text();
}

}  // namespace tidegauge
