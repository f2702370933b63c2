#include "daemon/state/column.h"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tidegauge {
namespace {

template <typename T>
bool Assign(std::optional<T> parsed, T& value) {
  if (parsed) value = *parsed;
  return parsed.has_value();
}

std::string_view Text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

/// Any two numbers have a difference, and adding it leads back: unsigned arithmetic wraps.
std::int64_t Minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int64_t Plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Appends numbers and marks; much of what is saved passes through here at every poll.
class Writer {
 public:
  Writer& operator<<(char mark) {
    text_ += mark;
    return *this;
  }
  Writer& operator<<(std::int64_t number) {
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text_.append(digits.data(), end);
    return *this;
  }
  Writer& operator<<(const std::optional<std::int64_t>& number) {
    return number ? *this << *number : *this << '?';
  }
  bool empty() const { return text_.empty(); }
  Value Take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Takes numbers and marks off the front; false once something else stands there.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool At(char mark) const { return text_.starts_with(mark); }
  bool Mark(char mark) {
    if (!At(mark)) return false;
    text_.remove_prefix(1);
    return true;
  }
  template <typename Number>
  bool Take(Number& number) {
    auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return error == std::errc();
  }
  bool Take(std::optional<std::int64_t>& number) { return Mark('?') || Take(number.emplace()); }
  bool Take(std::size_t size, std::string& text) {
    if (size > text_.size()) return false;
    text = text_.substr(0, size);
    text_.remove_prefix(size);
    return true;
  }

 private:
  std::string_view text_;
};

void Write(Writer& writer, const RateSamples& samples) {
  RateSample last;
  bool first = true;
  for (const RateSample& sample : samples) {
    if (!std::exchange(first, false)) writer << ',';
    const auto at = Minus(sample.at.time_since_epoch().count(), last.at.time_since_epoch().count());
    writer << at << ':' << Minus(sample.value, last.value);
    last = sample;
  }
}

bool Take(Scanner& scanner, RateSamples& samples) {
  RateSample last;
  do {
    std::int64_t at = 0;
    std::int64_t value = 0;
    if (!scanner.Take(at) || !scanner.Mark(':') || !scanner.Take(value)) return false;
    last = {Time(Duration(Plus(last.at.time_since_epoch().count(), at))), Plus(last.value, value)};
    samples.push_back(last);
  } while (scanner.Mark(','));
  return true;
}

template <typename Key>
Value NumbersToValue(const std::map<Key, std::int64_t>& numbers) {
  Writer writer;
  for (const auto& [key, number] : numbers) {
    if (!writer.empty()) writer << ' ';
    writer << std::int64_t{key} << '=' << number;
  }
  return writer.Take();
}

template <typename Key>
bool NumbersFromValue(const Value& value, std::map<Key, std::int64_t>& numbers) {
  numbers.clear();
  for (Scanner scanner(Text(value)); !scanner.done();) {
    Key key = 0;
    if (!numbers.empty() && !scanner.Mark(' ')) return false;
    if (!scanner.Take(key) || !scanner.Mark('=')) return false;
    if (!scanner.Take(numbers[key])) return false;
  }
  return std::holds_alternative<std::string>(value);
}

}  // namespace

Value ToValue(const std::string& text) { return text; }
Value ToValue(std::int64_t number) { return number; }
Value ToValue(std::uint64_t number) { return static_cast<std::int64_t>(number); }
Value ToValue(bool flag) { return std::int64_t{flag}; }
Value ToValue(Time time) { return std::int64_t{time.time_since_epoch().count()}; }
Value ToValue(Duration duration) { return std::int64_t{duration.count()}; }
Value ToValue(Severity severity) { return std::string(ToString(severity)); }
Value ToValue(Confidence confidence) { return std::string(ToString(confidence)); }
Value ToValue(Bound bound) { return std::string(ToString(bound)); }
Value ToValue(Phase phase) { return std::string(ToString(phase)); }
Value ToValue(EventType type) { return std::string(ToString(type)); }

Value ToValue(const std::optional<std::int64_t>& number) {
  return number ? ToValue(*number) : Value();
}

Value ToValue(const std::optional<Time>& time) { return time ? ToValue(*time) : Value(); }

Value ToValue(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += fmt::format("{}:{}", text.size(), text);
  return all;
}

Value ToValue(const std::map<Partition, std::int64_t>& numbers) { return NumbersToValue(numbers); }
Value ToValue(const std::map<BatchId, std::int64_t>& numbers) { return NumbersToValue(numbers); }

Value ToValue(const PartitionRates& rates) {
  Writer writer;
  for (const auto& [partition, samples] : rates) {
    if (!writer.empty()) writer << ' ';
    writer << std::int64_t{partition} << '=';
    Write(writer, samples);
  }
  return writer.Take();
}

Value ToValue(const std::vector<FindingPartition>& partitions) {
  Writer writer;
  for (const auto& [partition, checkpoint, log_start, log_end, records] : partitions) {
    if (!writer.empty()) writer << ';';
    writer << std::int64_t{partition} << ' ' << checkpoint << ' ' << log_start << ' ' << log_end
           << ' ' << records;
  }
  return writer.Take();
}

bool FromValue(const Value& value, std::string& text) {
  text = Text(value);
  return std::holds_alternative<std::string>(value);
}

bool FromValue(const Value& value, std::int64_t& number) {
  const auto* stored = std::get_if<std::int64_t>(&value);
  if (stored != nullptr) number = *stored;
  return stored != nullptr;
}

bool FromValue(const Value& value, std::uint64_t& number) {
  std::int64_t stored = 0;
  if (!FromValue(value, stored)) return false;
  number = static_cast<std::uint64_t>(stored);
  return true;
}

bool FromValue(const Value& value, bool& flag) {
  std::int64_t stored = 0;
  if (!FromValue(value, stored)) return false;
  flag = stored != 0;
  return stored == 0 || stored == 1;
}

bool FromValue(const Value& value, Time& time) {
  std::int64_t stored = 0;
  if (!FromValue(value, stored)) return false;
  time = Time(Duration(stored));
  return true;
}

bool FromValue(const Value& value, Duration& duration) {
  std::int64_t stored = 0;
  if (!FromValue(value, stored)) return false;
  duration = Duration(stored);
  return true;
}

bool FromValue(const Value& value, std::optional<std::int64_t>& number) {
  number.reset();
  return std::holds_alternative<std::monostate>(value) || FromValue(value, number.emplace());
}

bool FromValue(const Value& value, std::optional<Time>& time) {
  time.reset();
  return std::holds_alternative<std::monostate>(value) || FromValue(value, time.emplace());
}

bool FromValue(const Value& value, Severity& severity) {
  return Assign(ParseSeverity(Text(value)), severity);
}

bool FromValue(const Value& value, Confidence& confidence) {
  return Assign(ParseConfidence(Text(value)), confidence);
}

bool FromValue(const Value& value, Bound& bound) { return Assign(ParseBound(Text(value)), bound); }

bool FromValue(const Value& value, Phase& phase) { return Assign(ParsePhase(Text(value)), phase); }
bool FromValue(const Value& value, EventType& type) {
  return Assign(ParseEventType(Text(value)), type);
}

bool FromValue(const Value& value, std::vector<std::string>& texts) {
  texts.clear();
  for (Scanner scanner(Text(value)); !scanner.done();) {
    std::size_t size = 0;
    if (!scanner.Take(size) || !scanner.Mark(':')) return false;
    if (!scanner.Take(size, texts.emplace_back())) return false;
  }
  return std::holds_alternative<std::string>(value);
}

bool FromValue(const Value& value, std::map<Partition, std::int64_t>& numbers) {
  return NumbersFromValue(value, numbers);
}
bool FromValue(const Value& value, std::map<BatchId, std::int64_t>& numbers) {
  return NumbersFromValue(value, numbers);
}

bool FromValue(const Value& value, PartitionRates& rates) {
  rates.clear();
  for (Scanner scanner(Text(value)); !scanner.done();) {
    Partition partition = 0;
    if (!rates.empty() && !scanner.Mark(' ')) return false;
    if (!scanner.Take(partition) || !scanner.Mark('=')) return false;
    RateSamples& samples = rates[partition];
    if (!scanner.done() && !scanner.At(' ') && !Take(scanner, samples)) return false;
  }
  return std::holds_alternative<std::string>(value);
}

bool FromValue(const Value& value, std::vector<FindingPartition>& partitions) {
  partitions.clear();
  for (Scanner scanner(Text(value)); !scanner.done();) {
    if (!partitions.empty() && !scanner.Mark(';')) return false;
    auto& [partition, checkpoint, log_start, log_end, records] = partitions.emplace_back();
    bool good = scanner.Take(partition) && scanner.Mark(' ') && scanner.Take(checkpoint) &&
                scanner.Mark(' ') && scanner.Take(log_start) && scanner.Mark(' ') &&
                scanner.Take(log_end) && scanner.Mark(' ') && scanner.Take(records);
    if (!good) return false;
  }
  return std::holds_alternative<std::string>(value);
}

}  // namespace tidegauge
