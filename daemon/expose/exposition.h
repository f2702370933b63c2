// Writes the two text formats that Prometheus scrapes: text 0.0.4 and OpenMetrics 1.0.
//
// Written straight into one string, since a page may have hundreds of thousands of series.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/model.h"

namespace tidegauge {

enum class MetricFormat { kText, kOpenMetrics };

enum class MetricType { kGauge, kCounter, kInfo };

/// `name` is without `_total` and `_info`: those are the format's to add.
struct MetricFamily {
  std::string_view name;
  MetricType type;
  std::string_view help;
};

using Label = std::pair<std::string_view, std::string_view>;

/// `{query="a",topic="b"}`, escaped; a label with an empty value is left out, and "" is no label at
/// all.
std::string FormatLabels(std::initializer_list<Label> labels);

/// One page of series, family after family. A family without samples leaves no trace.
/// The caller begins each family once, and never adds the same labels twice to it.
class Exposition {
 public:
  explicit Exposition(MetricFormat format) : format_(format) {}

  /// Writes nothing; only counts series.
  static Exposition Counting();

  void Begin(const MetricFamily& family);

  /// `labels` is what FormatLabels returned. An absent value adds no sample.
  template <std::integral T>
  void Add(std::string_view labels, T value) {
    if (StartSample()) WriteInteger(labels, static_cast<std::int64_t>(value));
  }
  /// Written with three decimals.
  void Add(std::string_view labels, double value) {
    if (StartSample()) WriteReal(labels, value);
  }
  void Add(std::string_view labels, Time value) { Add(labels, value.time_since_epoch()); }
  void Add(std::string_view labels, Duration value) {
    if (StartSample()) WriteSeconds(labels, value);
  }
  template <typename T>
  void Add(std::string_view labels, const std::optional<T>& value) {
    if (value) Add(labels, *value);
  }

  /// Adds the label `partition` to `labels`, which must not be empty.
  void AddPartition(std::string_view labels, Partition partition, std::optional<Offset> value) {
    if (value && StartSample()) WritePartition(labels, partition, *value);
  }

  std::size_t series() const { return series_; }

  std::string Finish() &&;

 private:
  bool StartSample();
  void WriteHeader();
  void WriteInteger(std::string_view labels, std::int64_t value);
  void WriteReal(std::string_view labels, double value);
  void WriteSeconds(std::string_view labels, Duration value);
  void WritePartition(std::string_view labels, Partition partition, Offset value);
  void AppendNumber(std::int64_t value);

  MetricFormat format_;
  bool counting_ = false;
  bool header_pending_ = false;
  MetricFamily family_{};
  std::string sample_name_;
  std::size_t series_ = 0;
  std::string out_;
};

}  // namespace tidegauge
