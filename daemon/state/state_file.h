// The file in the state directory: found, made, and known for what it is.
#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "daemon/state/database.h"

namespace tidegauge {

/// Makes `directory` if only its last component is missing.
/// Errors: kNotFound, kDenied, kInvalid (something else has that name), kUnavailable.
Result<void> MakeStateDirectory(const std::string& directory);

/// Opens the file in `directory`, making it if it is missing, checks it page by page, and brings
/// it up to date if an earlier program wrote it. For the owner. Errors: those of Database; kCorrupt
/// also for the database of another program; kUnsupported.
Result<std::unique_ptr<Database>> OpenOwnedStateFile(const std::string& directory);

/// Opens a file that somebody else may own. Errors: as above; kNotFound: there is
/// none; kUnavailable also for one that its owner has not brought up to date yet.
Result<std::unique_ptr<Database>> OpenStateFile(const std::string& directory, Database::Mode mode);

/// `error`, with what an operator of `directory` can do about it.
Error WithAdvice(Error error, const std::string& directory);

}  // namespace tidegauge
