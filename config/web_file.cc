#include "config/web_file.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/mapping_reader.h"
#include "config/nearest.h"
#include "config/read_text.h"
#include "config/yaml_node.h"

namespace tidegauge {
namespace {

constexpr std::string_view kTlsSection = "tls_server_config";
constexpr std::string_view kUsersSection = "basic_auth_users";

// crypto/tls.CipherSuites() of the Go versions that Prometheus 2.42 and later are built with.
const std::vector<std::string>& KnownCipherSuites() {
  static const std::vector<std::string> kKnown{"TLS_AES_128_GCM_SHA256",
                                               "TLS_AES_256_GCM_SHA384",
                                               "TLS_CHACHA20_POLY1305_SHA256",
                                               "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                                               "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                                               "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                                               "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                                               "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                                               "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                                               "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
                                               "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
                                               "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
                                               "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
                                               "TLS_RSA_WITH_AES_128_GCM_SHA256",
                                               "TLS_RSA_WITH_AES_256_GCM_SHA384",
                                               "TLS_RSA_WITH_AES_128_CBC_SHA",
                                               "TLS_RSA_WITH_AES_256_CBC_SHA"};
  return kKnown;
}

const std::vector<std::string>& KnownCurves() {
  static const std::vector<std::string> kKnown{"CurveP256", "CurveP384", "CurveP521", "X25519"};
  return kKnown;
}

/// A header that may be set, and the values it may have; none: any.
struct Header {
  std::string_view name;
  std::vector<std::string_view> values;
};

const std::vector<Header>& KnownHeaders() {
  static const std::vector<Header> kKnown{{"Content-Security-Policy", {}},
                                          {"Strict-Transport-Security", {}},
                                          {"X-Content-Type-Options", {"nosniff"}},
                                          {"X-Frame-Options", {"deny", "sameorigin"}},
                                          {"X-XSS-Protection", {}}};
  return kKnown;
}

/// `$2y$10$`, 22 characters of salt and 31 of hash.
bool IsBcryptHash(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() != 60 || !text.starts_with("$2") ||
      std::string_view("abxy").find(text[2]) == std::string_view::npos || text[3] != '$' ||
      !is_digit(text[4]) || !is_digit(text[5]) || text[6] != '$') {
    return false;
  }
  const int cost = (text[4] - '0') * 10 + (text[5] - '0');
  return cost >= 4 && cost <= 31 && std::ranges::all_of(text.substr(7), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '/';
         });
}

class WebFileReader {
 public:
  WebFileReader(const YamlNode& root, ReadContext& context)
      : root_(root), context_(context), reader_(root, context) {}

  WebFile Read() {
    reader_.Section(kTlsSection, [&](MappingReader& inner) { ReadTls(inner); });
    reader_.Section("http_server_config", [&](MappingReader& inner) {
      bool http2 = true;  // we speak HTTP/1.1 either way
      inner.Field("http2", http2, "");
      inner.Field("headers", config_.headers, "", MapTraits{});
    });
    reader_.Field(kUsersSection, config_.users, "", MapTraits{});
    reader_.Section("rate_limit", [&](MappingReader& inner) {
      inner.Field("interval", config_.rate_limit.interval, "",
                  Range<Duration>{Duration::zero(), std::chrono::hours(1)});
      inner.Field("burst", config_.rate_limit.burst, "", Range<std::int64_t>{0, 1'000'000});
    });
    reader_.Finish();
    CheckTls();
    CheckHeaders();
    CheckUsers();
    if (config_.rate_limit.interval > Duration::zero() && config_.rate_limit.burst == 0) {
      Add(*root_.Find("rate_limit"),
          "'burst' must be at least 1 where there is an 'interval': with none, every request is "
          "refused");
    }
    return std::move(config_);
  }

 private:
  void Add(const YamlNode& node, std::string message) {
    context_.mistakes.push_back({node.line, node.column, std::move(message)});
  }

  void ReadTls(MappingReader& reader) {
    const YamlNode* node = root_.Find(kTlsSection);
    if (node == nullptr || node->keys.empty()) return;
    TlsSettings& tls = config_.tls.emplace();
    for (const YamlNode& key : node->keys) tls.lines[key.scalar] = key.line;
    constexpr TextTraits kFile{.kind = TextKind::kFile};
    reader.Field("cert_file", tls.cert_file, "", kFile);
    reader.Field("key_file", tls.key_file, "", kFile);
    reader.Field("client_ca_file", tls.client_ca_file, "", kFile);
    reader.Field("cert", tls.cert, "", TextTraits{});
    reader.Field("key", tls.key, "", TextTraits{});
    reader.Field("client_ca", tls.client_ca, "", TextTraits{});
    ReadClientCertificate(reader, *node, tls.client_certificate);
    std::vector<std::string> sans;
    reader.Texts("client_allowed_sans", sans);
    if (const YamlNode* list = node->Find("client_allowed_sans");
        list != nullptr && list->kind == YamlNode::Kind::kSequence) {
      tls.client_allowed_sans = std::move(sans);
    }
    ReadVersion(reader, "min_version", tls.min_version);
    ReadVersion(reader, "max_version", tls.max_version);
    ReadNames(reader, *node, "cipher_suites", KnownCipherSuites(), tls.cipher_suites);
    ReadNames(reader, *node, "curve_preferences", KnownCurves(), tls.curve_preferences);
    reader.Field("prefer_server_cipher_suites", tls.prefer_server_cipher_suites, "");
  }

  void ReadClientCertificate(MappingReader& reader, const YamlNode& section,
                             ClientCertificate& value) {
    using enum ClientCertificate;
    static const std::vector<std::pair<std::string_view, ClientCertificate>> kNames{
        {"NoClientCert", kNotAsked},
        {"RequestClientCert", kAsked},
        {"RequireAnyClientCert", kRequired},
        {"VerifyClientCertIfGiven", kVerifiedIfGiven},
        {"RequireAndVerifyClientCert", kRequiredAndVerified},
        {"RequireClientCert", kRequired},  // the old name
        {"", kNotAsked}};
    std::string name;
    reader.Field("client_auth_type", name, "", TextTraits{});
    const auto known =
        std::ranges::find(kNames, name, &std::pair<std::string_view, ClientCertificate>::first);
    if (known != kNames.end()) {
      value = known->second;
      return;
    }
    Add(*section.Find("client_auth_type"),
        fmt::format("'client_auth_type' must be NoClientCert, RequestClientCert, "
                    "RequireAnyClientCert, VerifyClientCertIfGiven or RequireAndVerifyClientCert, "
                    "not '{}'",
                    name));
  }

  static void ReadVersion(MappingReader& reader, std::string_view name, TlsVersion& value) {
    reader.Choice(name,
                  {.names = {"TLS10", "TLS11", "TLS12", "TLS13"},
                   .choose = [&](std::size_t i) { value = static_cast<TlsVersion>(i); }},
                  "");
  }

  void ReadNames(MappingReader& reader, const YamlNode& section, std::string_view name,
                 const std::vector<std::string>& known, std::vector<std::string>& names) {
    reader.Texts(name, names);
    for (const std::string& read : names) {
      if (std::ranges::find(known, read) != known.end()) continue;
      Add(*section.Find(name),
          fmt::format("'{}': '{}' is not known{}", name, read, Suggestion(read, known)));
    }
  }

  void CheckTls() {
    if (!config_.tls) return;
    const TlsSettings& tls = *config_.tls;
    const YamlNode& section = *root_.Find(kTlsSection);
    if (tls.cert_file.empty() && tls.cert.empty()) Add(section, "'cert_file' is missing");
    if (tls.key_file.empty() && tls.key.empty()) Add(section, "'key_file' is missing");
    if (tls.min_version > tls.max_version) {
      const YamlNode* least = section.Find("min_version");
      Add(least == nullptr ? *section.Find("max_version") : *least,
          "'min_version' (TLS12 where it is not set) is above 'max_version'");
    }
    if (tls.client_certificate == ClientCertificate::kNotAsked && tls.client_allowed_sans &&
        !tls.client_allowed_sans->empty()) {
      Add(section,
          "there are 'client_allowed_sans', but 'client_auth_type' asks for no certificate: set it "
          "to RequireAndVerifyClientCert");
    }
    if (tls.client_certificate == ClientCertificate::kNotAsked &&
        !(tls.client_ca_file.empty() && tls.client_ca.empty())) {
      Add(section,
          "there is a CA for clients, but 'client_auth_type' asks for no certificate: set it to "
          "RequireAndVerifyClientCert");
    }
  }

  void CheckHeaders() {
    std::vector<std::string> names;
    for (const Header& header : KnownHeaders()) names.emplace_back(header.name);
    for (const auto& [name, value] : config_.headers) {
      const YamlNode& node = *root_.Find("http_server_config")->Find("headers")->Find(name);
      const auto known = std::ranges::find(KnownHeaders(), name, &Header::name);
      if (known == KnownHeaders().end()) {
        Add(node, fmt::format("the header '{}' cannot be set{}", name, Suggestion(name, names)));
      } else if (!known->values.empty() &&
                 std::ranges::find(known->values, value) == known->values.end()) {
        Add(node, fmt::format("'{}' must be {}, not '{}'", name, fmt::join(known->values, " or "),
                              value));
      } else if (std::ranges::any_of(value, [](unsigned char c) { return std::iscntrl(c) != 0; })) {
        Add(node, fmt::format("'{}' must be one line", name));
      }
    }
    std::erase_if(config_.headers, [](const auto& header) { return header.second.empty(); });
  }

  void CheckUsers() {
    for (const auto& [name, hash] : config_.users) {
      const YamlNode& node = *root_.Find(kUsersSection)->Find(name);
      if (name.find(':') != name.npos) Add(node, fmt::format("'{}': no name holds a ':'", name));
      if (IsBcryptHash(hash)) continue;
      Add(node, fmt::format("the password of '{}' is no bcrypt hash: make one with "
                            "htpasswd -nBC 10 \"\" | tr -d ':\\n'",
                            name));
    }
  }

  const YamlNode& root_;
  ReadContext& context_;
  MappingReader reader_;
  WebFile config_;
};

}  // namespace

std::expected<WebFile, Mistakes> ParseWebFile(std::string_view text, const std::string& directory,
                                              const Environment& environment) {
  ReadContext context{directory, environment, {}};
  const auto root = ParseYaml(text, context.mistakes);
  if (!root) return std::unexpected(InOrder(std::move(context.mistakes)));
  if (root->kind == YamlNode::Kind::kNull) return WebFile{.is_empty = true};
  if (root->kind != YamlNode::Kind::kMapping) {
    return std::unexpected(
        Mistakes{{root->line, root->column,
                  fmt::format("the file must be a mapping of settings, such as '{}:', not {}",
                              kTlsSection, Describe(root->kind))}});
  }
  WebFile config = WebFileReader(*root, context).Read();
  if (context.mistakes.empty()) return config;
  return std::unexpected(InOrder(std::move(context.mistakes)));
}

std::expected<WebFile, Mistakes> LoadWebFile(const std::string& file,
                                             const Environment& environment) {
  const auto text = ReadText(file, kMaxWebFileBytes);
  if (!text) return std::unexpected(Mistakes{{0, 0, text.error().message}});
  const std::size_t slash = file.rfind('/');
  return ParseWebFile(*text, slash == file.npos ? "" : file.substr(0, slash + 1), environment);
}

}  // namespace tidegauge
