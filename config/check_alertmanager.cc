#include "config/check_alertmanager.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "config/address.h"

namespace tidegauge {
namespace {

class Check {
 public:
  Check(const YamlNode& group, Mistakes& mistakes) : group_(group), mistakes_(mistakes) {}

  void Add(std::string_view field, std::string message) {
    const YamlNode* node = group_.Find(field);
    if (node == nullptr) node = &group_;
    mistakes_.push_back({node->line, node->column, std::move(message)});
  }
  /// Neither of two settings makes sense alone.
  void Pair(std::string_view a, const std::string& of_a, std::string_view b,
            const std::string& of_b) {
    if (of_a.empty() == of_b.empty()) return;
    Add(of_a.empty() ? b : a,
        fmt::format("'{}' needs '{}' too", of_a.empty() ? b : a, of_a.empty() ? a : b));
  }

 private:
  const YamlNode& group_;
  Mistakes& mistakes_;
};

bool IsLabelName(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

void CheckAlertmanager(const AlertmanagerConfig& config, const YamlNode& root, Mistakes& mistakes) {
  const YamlNode* group = root.Find("alertmanager");
  if (group == nullptr) return;
  Check check(*group, mistakes);
  if (!config.urls.empty()) {
    if (auto valid = CheckUrls(config.urls); !valid) {
      check.Add("urls", "'urls': " + valid.error().message);
    }
  }
  const std::string& page = config.external_url;
  if (!page.empty() && (!CheckUrls(page) || SplitUrls(page).size() != 1)) {
    check.Add("external_url", fmt::format("'external_url': '{}' is not http://host:port", page));
  }
  check.Pair("basic_auth_user", config.basic_auth_user, "basic_auth_password_file",
             config.basic_auth_password_file);
  check.Pair("cert_file", config.cert_file, "key_file", config.key_file);
  if (!config.bearer_token_file.empty() && !config.basic_auth_user.empty()) {
    check.Add("bearer_token_file", "both 'bearer_token_file' and 'basic_auth_user': choose one");
  }
  for (const auto& [name, value] : config.external_labels) {
    if (IsLabelName(name)) continue;
    check.Add("external_labels",
              fmt::format("'{}' is no name of a label: letters, digits and _ only", name));
  }
}

}  // namespace tidegauge
