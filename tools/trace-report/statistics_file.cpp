// SPDX-License-Identifier: Apache-2.0
// Statistics as a file has them: JSON, or the same values as lines "gpgpu.kernels[0].cycles,1234".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "models/base/error.h"
#include "models/base/files.h"
#include "tools/trace-report/csv_records.h"
#include "tools/trace-report/statistics.h"
#include "tools/trace-report/trace_file.h"

namespace gvp::trace_report {

using nlohmann::json;

namespace {

constexpr FileKind kStatistics{"statistics", size_t{256} << 20};
constexpr const char* kMakeThem =
    "make them with gpgpu-vp or gpgpu-run, --stats FILE.json or FILE.csv";

json read_json(const std::string& path) {
  const std::string text = read_whole_file(path, kStatistics);
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const size_t at = std::min(error.byte, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n');
    throw bad_input("this is neither a trace nor whole JSON",
                    {path, static_cast<uint32_t>(line), 0}, kMakeThem);
  }
}

// The place of "gpgpu.kernels[0].cycles" in the JSON, made where it is not; null where the key
// cannot be one.
json* place_of(std::string_view key, json& root) {
  json* at = &root;
  while (!key.empty()) {
    if (key.front() == '[') {
      const size_t close = key.find(']');
      if (close == std::string_view::npos || !(at->is_null() || at->is_array())) return nullptr;
      size_t index = 0;
      const auto [end, error] = std::from_chars(key.data() + 1, key.data() + close, index);
      // elements come one after the other
      if (error != std::errc() || end != key.data() + close || index > at->size()) return nullptr;
      at = &(*at)[index];
      key.remove_prefix(close + 1);
    } else {
      if (!(at->is_null() || at->is_object())) return nullptr;
      const std::string_view name = key.substr(0, key.find_first_of(".["));
      at = &(*at)[std::string(name)];
      key.remove_prefix(name.size());
    }
    if (!key.empty() && key.front() == '.') key.remove_prefix(1);
  }
  return at;
}

json read_csv(const std::string& path) {
  json root = json::object();
  CsvRecords records(path);
  records.next();  // the columns' names
  while (records.next()) {
    const auto damaged = [&](const std::string& why) {
      return bad_input(why, {path, records.line(), 0}, kMakeThem);
    };
    if (records.fields().size() != 2)
      throw damaged(fmt::format("this line has {} fields in place of a key and a value",
                                records.fields().size()));
    const std::string_view key = records.fields()[0], value = records.fields()[1];
    json* const place = place_of(key, root);
    if (place == nullptr || !place->is_null())
      throw damaged(fmt::format("\"{}\" is no key, or contradicts one before it", key));
    *place = records.quoted() ? json(value) : json::parse(value, nullptr, false);
    if (place->is_discarded())
      throw damaged(fmt::format("\"{}\" is neither a number nor a quoted text", value));
  }
  return root;
}

}  // namespace

json read_statistics(const std::string& path) {
  json statistics = type_of(path) == FileType::kStatisticsCsv ? read_csv(path) : read_json(path);
  const auto tool = statistics.is_object() ? statistics.find("tool") : statistics.end();
  if (tool == statistics.end() || (*tool != "gpgpu-vp" && *tool != "gpgpu-run"))
    throw bad_input("these are no statistics: their \"tool\" is neither gpgpu-vp nor gpgpu-run",
                    {path}, kMakeThem);
  return statistics;
}

}  // namespace gvp::trace_report
