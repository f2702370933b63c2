#include "daemon/expose/exposition.h"

#include <charconv>

#include "daemon/expose/clean_text.h"

namespace tidegauge {
namespace {

void AppendEscaped(std::string& out, std::string_view value) {
  for (char c : WellFormed(value)) {
    if (c == '\\' || c == '"' || c == '\n') out += '\\';
    out += c == '\n' ? 'n' : c;
  }
}

std::string_view Suffix(MetricType type) {
  switch (type) {
    case MetricType::kGauge:
      return "";
    case MetricType::kCounter:
      return "_total";
    case MetricType::kInfo:
      return "_info";
  }
  return {};
}

// Text 0.0.4 has no info type.
std::string_view TypeName(MetricType type, MetricFormat format) {
  switch (type) {
    case MetricType::kGauge:
      return "gauge";
    case MetricType::kCounter:
      return "counter";
    case MetricType::kInfo:
      return format == MetricFormat::kText ? "gauge" : "info";
  }
  return {};
}

}  // namespace

std::string FormatLabels(std::initializer_list<Label> labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    if (value.empty()) continue;
    out += out.empty() ? '{' : ',';
    out.append(name).append("=\"");
    AppendEscaped(out, value);
    out += '"';
  }
  if (!out.empty()) out += '}';
  return out;
}

Exposition Exposition::Counting() {
  Exposition exposition(MetricFormat::kText);
  exposition.counting_ = true;
  return exposition;
}

void Exposition::Begin(const MetricFamily& family) {
  family_ = family;
  header_pending_ = true;
  sample_name_.assign(family.name).append(Suffix(family.type));
}

bool Exposition::StartSample() {
  ++series_;
  if (counting_) return false;
  if (header_pending_) WriteHeader();
  return true;
}

void Exposition::WriteHeader() {
  header_pending_ = false;
  // In text 0.0.4 a family is named like its samples; OpenMetrics names it without the suffix.
  const std::string_view name =
      format_ == MetricFormat::kText ? std::string_view(sample_name_) : family_.name;
  out_.append("# HELP ").append(name).append(" ").append(family_.help).append("\n");
  out_.append("# TYPE ").append(name).append(" ");
  out_.append(TypeName(family_.type, format_)).append("\n");
}

void Exposition::AppendNumber(std::int64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out_.append(digits, end);
}

void Exposition::WriteInteger(std::string_view labels, std::int64_t value) {
  out_.append(sample_name_).append(labels).append(1, ' ');
  AppendNumber(value);
  out_ += '\n';
}

void Exposition::WriteReal(std::string_view labels, double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 3).ptr;
  out_.append(sample_name_).append(labels).append(1, ' ').append(digits, end).append(1, '\n');
}

void Exposition::WriteSeconds(std::string_view labels, Duration value) {
  out_.append(sample_name_).append(labels).append(1, ' ');
  const std::int64_t ms = value.count();
  if (ms < 0) out_ += '-';
  const std::uint64_t size =
      ms < 0 ? -static_cast<std::uint64_t>(ms) : static_cast<std::uint64_t>(ms);
  AppendNumber(static_cast<std::int64_t>(size / 1000));
  if (const auto rest = static_cast<unsigned>(size % 1000); rest != 0) {
    const char digits[] = {'.', static_cast<char>('0' + rest / 100),
                           static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
    out_.append(digits, rest % 100 == 0 ? 2 : rest % 10 == 0 ? 3 : 4);
  }
  out_ += '\n';
}

void Exposition::WritePartition(std::string_view labels, Partition partition, Offset value) {
  out_.append(sample_name_);
  out_.append(labels.substr(0, labels.size() - 1)).append(",partition=\"");
  AppendNumber(partition);
  out_.append("\"} ");
  AppendNumber(value);
  out_ += '\n';
}

std::string Exposition::Finish() && {
  if (format_ == MetricFormat::kOpenMetrics) out_.append("# EOF\n");
  return std::move(out_);
}

}  // namespace tidegauge
