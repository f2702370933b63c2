// `${NAME}` in a configuration stands for a variable of the environment.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace tidegauge {

/// The value of a variable; absent: not set.
using Environment = std::function<std::optional<std::string>(const std::string&)>;

/// Of this process. Not while another thread changes it. CREDENTIALS_DIRECTORY, where it is not
/// set, is where systemd has put the credentials of tidegauge.service: so that root's commands
/// beside the daemon read the same configuration.
std::optional<std::string> ProcessEnvironment(const std::string& name);

/// `text` with each `${NAME}` replaced, once: what a variable holds is not looked at again. `$${`
/// stands for `${`; a `$` without a brace is itself. kInvalid: not set, not a name, not closed.
/// The message never holds a value.
Result<std::string> Substitute(std::string_view text, const Environment& environment);

/// What Substitute turns back into `text`.
std::string EscapeSubstitution(std::string_view text);

}  // namespace tidegauge
