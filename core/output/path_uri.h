// Paths as Spark writes them into a sink's log: java.net.URI of a Hadoop Path.
#pragma once

#include <string>
#include <string_view>

namespace tidegauge {

/// `path` with what java.net.URI does not allow in a path percent-encoded, byte by byte; bytes of
/// other characters than ASCII stay, as URI.toString leaves them.
std::string EncodePath(std::string_view path);

/// The path of a URI, decoded; scheme and authority left out.
std::string PathOf(std::string_view uri);

/// What stands before the path of `uri`: `file://`, `hdfs://namenode:8020`; may be empty.
std::string_view BeforePath(std::string_view uri);

}  // namespace tidegauge
