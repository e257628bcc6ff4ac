// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "models/base/error.h"
#include "tools/trace-report/csv_trace.h"
#include "tools/trace-report/database.h"
#include "tools/trace-report/perfetto_trace.h"
#include "trace/schema/csv.h"
#include "trace/schema/perfetto.h"

namespace gvp::trace_report {
namespace {

constexpr std::string_view kSqlite("SQLite format 3\0", 16);
constexpr std::string_view kStatisticsCsv = "key,value";
constexpr const char* kWhatIsRead =
    "a trace (gpgpu-vp --trace FILE.db, .csv or .pftrace) or statistics (--stats FILE.json or "
    ".csv) is read";

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

}  // namespace

std::string contradiction(const Transaction& t) {
  if (t.end >= t.begin) return "";
  return fmt::format("transaction {} ends at {} ps, before its beginning at {} ps", t.number, t.end,
                     t.begin);
}

std::string contradiction(const Span& span, const Track& track) {
  if (span.end >= span.begin) return "";
  return fmt::format("a span of {}/{} ends at {} ps, before its beginning at {} ps", track.place,
                     track.name, span.end, span.begin);
}

FileType type_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 64> bytes{};
  file.read(bytes.data(), bytes.size());
  if (file.bad() || (!file.is_open()))
    throw bad_input(fmt::format("cannot read this file: {}", std::strerror(errno)), {path});
  const std::string_view text(bytes.data(), static_cast<size_t>(file.gcount()));
  if (text.empty()) throw bad_input("this file is empty", {path}, kWhatIsRead);
  if (begins(text, kSqlite)) return FileType::kDatabase;
  if (begins(text, std::string(trace::schema::csv::kColumns.front()) + ',')) return FileType::kCsv;
  if (begins(text, kStatisticsCsv)) return FileType::kStatisticsCsv;
  if (text.front() == trace::schema::perfetto::kPacketBegins) return FileType::kPerfetto;
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '['))
    return FileType::kStatistics;
  const std::string suffix = std::filesystem::path(path).extension().string();
  for (const char* other : {".fst", ".vcd", ".txt"})
    if (suffix == other)
      throw bad_input(
          fmt::format("a {} is no trace that can be reported on", suffix), {path},
          fmt::format("record both in one run: gpgpu-vp --trace FILE{} --trace FILE.db", suffix));
  throw bad_input("this is neither a trace nor statistics", {path}, kWhatIsRead);
}

std::unique_ptr<TraceFile> open_trace(const std::string& path) {
  switch (type_of(path)) {
    case FileType::kDatabase:
      return std::make_unique<Database>(path);
    case FileType::kCsv:
      return std::make_unique<CsvTrace>(path);
    case FileType::kPerfetto:
      return std::make_unique<PerfettoTrace>(path);
    default:
      throw bad_input("this is no trace", {path}, kWhatIsRead);
  }
}

}  // namespace gvp::trace_report
