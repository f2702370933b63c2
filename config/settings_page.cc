#include "config/settings_page.h"

#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/config.h"

namespace tidegauge {
namespace {

constexpr std::string_view kIntroduction =
    "# Settings\n\n"
    "Made by `tidegauge config reference --format=markdown`: do not edit. The file is YAML, "
    "strict: "
    "a key that is\nnot here is a mistake. `tidegauge config check` says every mistake in it, with "
    "its line; `tidegauge config\nprint` what is in effect.\n\n"
    "Durations are written `500ms`, `30s`, `10m`, `2h30m`, `7d`. `${NAME}` in a value is replaced "
    "by "
    "that variable of the\nenvironment, and `$$` by one `$`. Paths that are not absolute start at "
    "the file's directory. What is in\n*italics* is an example: the setting has no default.\n";

constexpr std::string_view kHead = "\n| setting | default | |\n|---|---|---|\n";

/// One table for what stands at the top, and one for each group there.
class Tables : public ConfigVisitor {
 public:
  std::string text() && { return fmt::format("{}{}{}{}", kIntroduction, kHead, top_, groups_); }

  using ConfigVisitor::Field;
  void Field(std::string_view name, bool& value, std::string_view doc) override {
    Row(name, Code(value ? "true" : "false"), doc);
  }
  void Field(std::string_view name, double& value, std::string_view doc) override {
    Row(name, Code(fmt::format("{}", value)), doc);
  }
  void Field(std::string_view name, Severity& value, std::string_view doc) override {
    Row(name, Code(ToString(value)), doc);
  }
  void Field(std::string_view name, std::int64_t& value, std::string_view doc,
             const Range<std::int64_t>& range) override {
    using Limits = std::numeric_limits<std::int64_t>;
    const bool any = range.least == Limits::min() && range.most == Limits::max();
    const std::string allowed = any ? ""
                                : range.most == Limits::max()
                                    ? fmt::format(" At least {}.", range.least)
                                    : fmt::format(" {} to {}.", range.least, range.most);
    Row(name, Code(fmt::format("{}", value)), fmt::format("{}{}", doc, allowed));
  }
  void Field(std::string_view name, Duration& value, std::string_view doc,
             const Range<Duration>& range) override {
    const std::string allowed = range.least == Duration::zero()
                                    ? ""
                                    : fmt::format(" At least {}.", FormatDuration(range.least));
    Row(name, Code(FormatDuration(value)), fmt::format("{}{}", doc, allowed));
  }
  void Field(std::string_view name, std::string& value, std::string_view doc,
             const TextTraits& traits) override {
    const bool required = traits.presence == Presence::kRequired && value.empty();
    Row(name, value.empty() ? Example(traits.example) : Code(value),
        fmt::format("{}{}", doc, required ? " Must be set." : ""));
  }
  void Field(std::string_view name, StringMap& /*value*/, std::string_view doc,
             const MapTraits& traits) override {
    Row(name, Example(fmt::format("{}: {}", traits.example_key, traits.example_value)), doc);
  }
  void Choice(std::string_view name, const ChoiceAccess& choice, std::string_view doc) override {
    Row(name, Code(choice.names[choice.chosen]),
        fmt::format("{} One of {}.", doc, fmt::join(choice.names, ", ")));
  }
  void Group(std::string_view name, std::string_view doc, const Members& members) override {
    Inside(name, doc, [&] { members(*this); });
  }
  void Items(std::string_view name, std::string_view doc, const ListAccess& list) override {
    Inside(fmt::format("{}[]", name), doc, [&] { list.visit(0, *this); });
  }

 private:
  static std::string Code(std::string_view text) { return fmt::format("`{}`", text); }
  static std::string Example(std::string_view text) {
    return text.empty() ? "" : fmt::format("*`{}`*", text);
  }

  void Row(std::string_view name, std::string_view value, std::string_view doc) {
    std::string& table = path_.empty() ? top_ : groups_;
    table += fmt::format("| `{}{}` | {} | {} |\n", path_, name, value, doc);
  }

  template <typename Show>
  void Inside(std::string_view name, std::string_view doc, const Show& show) {
    if (path_.empty()) {
      groups_ += fmt::format("\n## `{}`\n\n{}\n{}", name, doc, kHead);
    } else {
      Row(name, "", fmt::format("**{}**", doc));
    }
    std::string outside = path_;
    path_ += fmt::format("{}.", name);
    show();
    path_ = std::move(outside);
  }

  std::string path_;  ///< of the group that is being shown, with the dot
  std::string top_;
  std::string groups_;
};

}  // namespace

std::string SettingsPage(std::vector<DetectorPtr> detectors) {
  Config config;
  config.kafka.resize(1);
  config.queries.resize(1);
  config.rules.detectors = std::move(detectors);
  Tables tables;
  Visit(tables, config);
  return std::move(tables).text();
}

}  // namespace tidegauge
