// What is done to a week to break something in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model.h"
#include "tests/week/week.h"

namespace tidegauge::testing {

/// The query's driver dies, and nobody starts it again.
void Stop(Week& week, const std::string& query);

/// Of a query's checkpoint.
std::string CheckpointFile(Week& week, const std::string& query, const std::string& name);
/// offsets or commits of the batch `back` before the newest of a query at rest.
std::string InLog(Week& week, const std::string& query, const char* log, BatchId back = 0);

void Overwrite(Week& week, const std::string& path, std::string text);
void Remove(Week& week, const std::string& path);
void RemoveAllIn(Week& week, const std::string& directory);
/// `share` of a file is left.
void Cut(Week& week, const std::string& path, double share);

std::vector<std::string> NamesIn(Week& week, const std::string& directory);
std::string Replace(std::string text, std::string_view from, std::string_view to);

}  // namespace tidegauge::testing
