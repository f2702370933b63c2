#include "core/detectors/restart_message.h"

#include <string_view>

#include <fmt/core.h>

namespace tidegauge {
namespace {

using Kind = Damage::Kind;

/// The number in "offset log version v9; …".
std::string VersionIn(std::string_view what) {
  const std::size_t begin = what.find("version v");
  if (begin == std::string_view::npos) return "a newer one";
  const std::string_view rest = what.substr(begin + std::string_view("version ").size());
  return std::string(rest.substr(0, rest.find(';')));
}

std::string Between(std::string_view text, std::string_view quote) {
  const std::size_t begin = text.find(quote);
  const std::size_t end = text.rfind(quote);
  if (begin == std::string_view::npos || begin == end) return {};
  return std::string(text.substr(begin + 1, end - begin - 1));
}

/// HDFSMetadataLog.applyFnToBatchByStream puts the file before what went wrong in it.
std::string Failed(const std::string& file, const std::string& why) {
  return fmt::format("\"Failed to read log file {}. {}\"", file, why);
}

/// OffsetSeqLog, CommitLog, MetadataVersionUtil.
std::string Unreadable(const Damage& damage, const std::string& file) {
  const std::string& what = damage.what;
  if (what == "empty") {
    return Failed(file, damage.kind == Kind::kCommitUnreadable
                            ? "Incomplete log file in the offset commit log"
                            : "Incomplete log file");
  }
  if (what.starts_with("line 1")) {
    return Failed(file, fmt::format("Log file was malformed: failed to read correct log version "
                                    "from {}.",
                                    Between(what.substr(what.find("found")), "'"))) +
           " ([MALFORMED_LOG_FILE] from Spark 4 on)";
  }
  if (what.starts_with("torn: no line")) {
    return "\"Log file was malformed: failed to detect the log file version line.\"";
  }
  if (what.starts_with("torn: 1 of")) return "\"next on empty iterator\"";
  if (what.starts_with("line 2")) {
    return "the JSON parser's message, such as \"Unexpected end-of-input\"";
  }
  if (what.starts_with("line ")) {
    return "\"Expected e.g. {\"topicA\":{\"0\":23,\"1\":-1},\"topicB\":{\"0\":-2}}, got …\"";
  }
  if (what.starts_with("torn")) {
    return "\"There are [0] sources in the checkpoint offsets and now there are […] sources "
           "requested by the query. Cannot continue.\"";
  }
  return "an error about this file";
}

/// QueryExecutionErrors.batchMetadataFileNotFoundError, under its name of each release.
std::string NotThere(const std::string& file) {
  return fmt::format("\"Unable to find batch {}\" ([BATCH_METADATA_NOT_FOUND] from Spark 3.5 on)",
                     file);
}

std::string NewerVersion(const Damage& damage, const std::string& file) {
  return Failed(file, fmt::format("UnsupportedLogVersion: maximum supported log version is v1, but "
                                  "encountered {}",
                                  VersionIn(damage.what))) +
         " ([INVALID_LOG_VERSION] from Spark 4 on)";
}

}  // namespace

std::string RestartMessage(const Damage& damage, const std::string& path) {
  const std::string file = path + "/" + damage.file;
  switch (damage.kind) {
    case Kind::kOffsetsLost:
      return fmt::format("\"batch {} doesn't exist\"", damage.batch);
    case Kind::kEpochLost:
      return fmt::format("\"Batch {} was committed without end epoch offsets!\"", damage.batch);
    case Kind::kCommitsAhead:
      return fmt::format(
          "\"Concurrent update to the commit log. Multiple streaming jobs detected for {0}\" "
          "(Spark "
          "3.1 to 3.4) or \"[CONCURRENT_STREAM_LOG_UPDATE] … Multiple streaming jobs detected for "
          "{0}.\" (3.5 on); before 3.1 it goes on in silence",
          damage.batch);
    case Kind::kVersion:
      return NewerVersion(damage, file);
    case Kind::kOffsetsUnreadable:
    case Kind::kCommitUnreadable:
      return damage.what == kListedOnly ? NotThere(file) : Unreadable(damage, file);
    case Kind::kSourcesChanged:
      return "\"There are [a] sources in the checkpoint offsets and now there are [b] sources "
             "requested by the query. Cannot continue.\"";
    case Kind::kMetadataUnreadable:
    case Kind::kOffsetsGone:
    case Kind::kEmpty:
      break;
  }
  return "an error about the checkpoint";
}

}  // namespace tidegauge
