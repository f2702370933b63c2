// What a client would rather have (RFC 9110, 12.5).
#pragma once

#include <string_view>

namespace tidegauge {

/// How much an Accept header wants `type` (`text/plain`), from 0 (not at all) to 1000. Of the
/// ranges that match, the most specific decides. A range that names another version than `version`
/// does not match.
int AcceptQuality(std::string_view accept, std::string_view type, std::string_view version);

/// Whether an Accept-Encoding header takes gzip.
bool AcceptsGzip(std::string_view accept_encoding);

}  // namespace tidegauge
