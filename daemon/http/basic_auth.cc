#include "daemon/http/basic_auth.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <crypt.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

namespace tidegauge {
namespace {

constexpr std::size_t kRememberedWrong = 256;
/// bcrypt looks at no more, and crypt(3) refuses much more.
constexpr std::size_t kMostPasswordBytes = 72;

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

/// Wiped when it goes.
struct Credentials {
  std::string user;
  std::string password;

  Credentials() = default;
  Credentials(Credentials&&) = default;
  Credentials& operator=(Credentials&&) = delete;
  ~Credentials() { OPENSSL_cleanse(password.data(), password.size()); }
};

std::optional<std::string> FromBase64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return std::nullopt;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  const auto padding = static_cast<std::size_t>(text.ends_with("==") ? 2 : text.ends_with('='));
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

std::optional<Credentials> ParseAuthorization(std::string_view text) {
  constexpr std::string_view kScheme = "basic ";
  const bool basic = text.size() > kScheme.size() &&
                     std::ranges::equal(text.substr(0, kScheme.size()), kScheme, {},
                                        [](unsigned char c) { return std::tolower(c); });
  if (!basic) return std::nullopt;
  auto pair = FromBase64(text.substr(kScheme.size()));
  if (!pair) return std::nullopt;
  const std::size_t colon = pair->find(':');
  // A zero byte would end the password for crypt(3), and so make a prefix of it count.
  if (colon == pair->npos || pair->find('\0') != pair->npos) return std::nullopt;
  Credentials credentials;
  credentials.user = pair->substr(0, colon);
  credentials.password = pair->substr(colon + 1);
  OPENSSL_cleanse(pair->data(), pair->size());
  return credentials;
}

/// `hash` as crypt(3) has it: all the prefixes name one algorithm in Go.
std::string Normalised(std::string hash) {
  hash[2] = 'b';
  return hash;
}

/// For users that are not there: a hash that no password has, of the highest cost in use.
std::string NobodysHash(const StringMap& users) {
  std::string cost = "10";
  for (const auto& [name, hash] : users) cost = std::max(cost, hash.substr(4, 2));
  return "$2b$" + cost + "$......................" + std::string(31, '.');
}

bool HasHash(const std::string& password, const std::string& hash) {
  const auto data = std::make_unique<crypt_data>();
  std::string key = password.substr(0, kMostPasswordBytes);
  const char* made = crypt_r(key.c_str(), hash.c_str(), data.get());
  const std::string_view result = made == nullptr ? "" : made;
  const bool equal =
      result.size() == hash.size() && CRYPTO_memcmp(result.data(), hash.data(), hash.size()) == 0;
  OPENSSL_cleanse(key.data(), key.size());
  OPENSSL_cleanse(data.get(), sizeof(crypt_data));
  return equal;
}

}  // namespace

class BasicAuth::Memory {
 public:
  explicit Memory(const StringMap& users) : nobodys_hash_(NobodysHash(users)) {
    for (const auto& [name, hash] : users) hashes_[name] = Normalised(hash);
    RAND_bytes(secret_.data(), static_cast<int>(secret_.size()));
  }

  Digest DigestOf(const Credentials& credentials) const {
    std::string text = credentials.user + ':' + credentials.password;
    Digest digest{};
    HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), nullptr);
    OPENSSL_cleanse(text.data(), text.size());
    return digest;
  }

  std::optional<Verdict> Remembered(const std::string& user, const Digest& digest) {
    const std::lock_guard lock(mutex_);
    const auto right = right_.find(user);
    if (right != right_.end() &&
        CRYPTO_memcmp(right->second.data(), digest.data(), digest.size()) == 0) {
      return Verdict::kYes;
    }
    if (wrong_.contains(digest)) return Verdict::kNo;
    return std::nullopt;
  }

  /// Takes as long as the hash costs, unless it is known by now.
  Verdict Judge(const Credentials& credentials, const Digest& digest) {
    if (const auto known = Remembered(credentials.user, digest)) return *known;
    const auto user = hashes_.find(credentials.user);
    const bool exists = user != hashes_.end();
    const bool right = HasHash(credentials.password, exists ? user->second : nobodys_hash_);
    Remember(credentials.user, digest, exists && right);
    return exists && right ? Verdict::kYes : Verdict::kNo;
  }

 private:
  void Remember(const std::string& user, const Digest& digest, bool is_right) {
    const std::lock_guard lock(mutex_);
    if (is_right) {
      right_[user] = digest;
      return;
    }
    if (!wrong_.insert(digest).second) return;
    wrong_in_order_.push_back(digest);
    if (wrong_in_order_.size() <= kRememberedWrong) return;
    wrong_.erase(wrong_in_order_.front());
    wrong_in_order_.pop_front();
  }

  StringMap hashes_;
  const std::string nobodys_hash_;
  std::array<unsigned char, 32> secret_{};
  std::mutex mutex_;
  std::map<std::string, Digest> right_;  // one a user: wrong ones cannot push it out
  std::set<Digest> wrong_;
  std::deque<Digest> wrong_in_order_;
};

BasicAuth::BasicAuth(const StringMap& users, std::shared_ptr<CheckQueue> queue)
    : users_(users), memory_(std::make_shared<Memory>(users)), queue_(std::move(queue)) {}

BasicAuth::~BasicAuth() = default;

std::optional<Verdict> BasicAuth::Check(std::string_view authorization, const std::string& client,
                                        const std::function<void(Verdict)>& done) {
  auto credentials = ParseAuthorization(authorization);
  if (!credentials) return Verdict::kNo;
  const Digest digest = memory_->DigestOf(*credentials);
  if (const auto known = memory_->Remembered(credentials->user, digest)) return known;
  auto shared = std::make_shared<const Credentials>(*std::move(credentials));
  const bool added = queue_->Add(
      client,
      [memory = memory_, shared = std::move(shared), digest, done] {
        done(memory->Judge(*shared, digest));
      },
      [done] { done(Verdict::kBusy); });
  if (!added) return Verdict::kBusy;
  return std::nullopt;
}

}  // namespace tidegauge
