#include "daemon/expose/text.h"

#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/expose/clean_text.h"
#include "daemon/expose/next_step.h"
#include "daemon/expose/overview.h"
#include "daemon/expose/subject.h"
#include "daemon/expose/wording.h"

namespace tidegauge {
namespace {

constexpr std::size_t kPartitionsShown = 10;

enum class Colour { kRed = 31, kGreen = 32, kYellow = 33, kMagenta = 35, kCyan = 36 };

struct Writer {
  std::string out;
  bool colours;

  template <typename... T>
  void Line(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(out), format, std::forward<T>(values)...);
    out += '\n';
  }
  std::string Paint(Colour colour, std::string_view text) const {
    if (!colours) return std::string(text);
    return fmt::format("\x1b[1;{}m{}\x1b[0m", static_cast<int>(colour), text);
  }
};

std::string Tag(const Writer& writer, Severity severity) {
  switch (severity) {
    case Severity::kCritical:
      return writer.Paint(Colour::kRed, "CRITICAL");
    case Severity::kWarning:
      return writer.Paint(Colour::kYellow, "WARNING");
    case Severity::kInfo:
      return writer.Paint(Colour::kCyan, "INFO");
  }
  return {};
}

std::string RecordsOf(const Finding& finding) {
  if (!finding.records) return {};
  return fmt::format(" {}{}.", finding.records_bound == Bound::kAtMost ? "At most " : "",
                     CountText(*finding.records, "record"));
}

void AddPartition(Writer& writer, const FindingPartition& partition) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::string_view what, const std::optional<std::int64_t>& number) {
    if (number) parts.push_back(fmt::format("{} {}", what, *number));
  };
  add("checkpoint", partition.checkpoint);
  add("log start", partition.log_start);
  add("log end", partition.log_end);
  add("records", partition.records);
  writer.Line("  Partition {}: {}", partition.partition, fmt::join(parts, ", "));
}

void AddPartitions(Writer& writer, const Finding& finding) {
  std::size_t shown = 0;
  for (const FindingPartition& partition : finding.partitions) {
    if (shown == kPartitionsShown) break;
    AddPartition(writer, partition);
    ++shown;
  }
  if (const std::size_t rest = finding.partitions.size() - shown; rest > 0) {
    writer.Line("  and {} more", CountText(static_cast<std::int64_t>(rest), "partition"));
  }
}

void AddFinding(Writer& writer, const FindingReport& found) {
  const Finding& finding = found.finding;
  writer.Line("");
  writer.Line("{}  {}: {}", Tag(writer, finding.severity), Printable(finding.key.kind),
              SubjectOf(finding.key));
  writer.Line("  {}", Printable(finding.summary));
  writer.Line("  Since {}{}.{}{}", UtcText(found.pending_since),
              found.phase == Phase::kPending ? ", not yet confirmed" : "", RecordsOf(finding),
              finding.confidence == Confidence::kLikely ? " Likely, not certain." : "");
  if (found.flaps > 0) {
    writer.Line(
        "  It came back {}{}.", CountText(found.flaps, "time"),
        found.gone_since ? fmt::format(", and is gone since {}", UtcText(*found.gone_since)) : "");
  }
  if (finding.batches_left) writer.Line("  Batches left: {}.", NumberText(*finding.batches_left));
  if (finding.expected_at) writer.Line("  Expected at {}.", UtcText(*finding.expected_at));
  AddPartitions(writer, finding);
  writer.Line("  Next: {}", NextStep(finding.key.kind));
}

void AddUnknown(Writer& writer, std::string_view subject, const std::vector<std::string>& reasons) {
  writer.Line("");
  writer.Line("{}  {}", writer.Paint(Colour::kMagenta, "UNKNOWN"), subject);
  for (const std::string& reason : reasons) writer.Line("  {}", Printable(reason));
}

void AddUnknowns(Writer& writer, const Report& report) {
  for (const ClusterReport& cluster : report.clusters) {
    if (cluster.up) continue;
    AddUnknown(writer, fmt::format("cluster {}", Printable(cluster.kafka_cluster)),
               {cluster.error});
  }
  for (const QueryReport& query : report.queries) {
    if (query.unknown.empty()) continue;
    AddUnknown(writer, fmt::format("query {}", Printable(query.query)), query.unknown);
  }
  if (!report.unknown.empty()) AddUnknown(writer, "configuration", report.unknown);
}

void AddMemory(Writer& writer, const Report& report, const Overview& overview) {
  writer.Line("");
  if (report.first_sight) {
    writer.Line(
        "First sight: nothing was remembered before this poll. A topic recreated earlier is "
        "found only where record timestamps prove it.");
  } else if (overview.remembered_since) {
    writer.Line("Topics of all judged queries are remembered since {}.",
                UtcText(*overview.remembered_since));
  } else {
    writer.Line("Not every query's topics are remembered from an earlier poll.");
  }
  if (!report.state_kept) {
    writer.Line("Nothing is kept: what this poll learnt is forgotten with it (see --state.dir).");
  } else if (!report.state_persistent) {
    writer.Line("What was learnt did not reach the disk: a restart forgets it.");
  }
}

}  // namespace

std::string ReportText(const Report& report, bool colours) {
  Writer writer{.out = {}, .colours = colours};
  const Overview overview = OverviewOf(report);
  const std::string headline = Headline(overview);
  writer.Line("{}. Polled {}.",
              overview.all_clear() ? writer.Paint(Colour::kGreen, headline) : headline,
              UtcText(report.polled_at));
  for (const FindingReport* found : overview.findings) AddFinding(writer, *found);
  if (!overview.findings.empty()) {
    writer.Line("");
    writer.Line("The commands for each, and what each way costs: tidegauge plan QUERY");
  }
  AddUnknowns(writer, report);
  AddMemory(writer, report, overview);
  return std::move(writer.out);
}

}  // namespace tidegauge
