// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/traces.h"

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>

#include "tests/end_to_end/program.h"
#include "tests/trace/perfetto_file.h"

namespace gvp::test {

bool has_rtl() {
  return run("gpgpu-vp", {"--model", "timer=rtl", "--max-instructions", "1", firmware("hello")})
             .err.find("built without Verilator") == std::string::npos;
}

// Whether this build has the FST writer.
bool has_fst() {
  static const bool has = [] {
    const std::string path = temporary("probe.fst");
    const Result result =
        run("gpgpu-vp", {"--trace", path, "--max-instructions", "1", firmware("hello")});
    std::remove(path.c_str());
    return result.err.find("built without the FST writer") == std::string::npos;
  }();
  return has;
}

void PrintTo(const Totals& totals, std::ostream* stream) {
  *stream << totals.transactions << " transactions, " << totals.bytes << " bytes, " << totals.errors
          << " errors";
}

std::string Traces::file(const std::string& name) {
  files_.push_back(temporary(name));
  return files_.back();
}

Traces::~Traces() {
  for (const std::string& path : files_) std::remove(path.c_str());
}

Traced in_csv(const std::string& path) {
  std::ifstream stream(path);
  Traced traced;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("transaction,", 0) != 0) continue;
    std::istringstream text(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    const std::string port = fields.at(1) + ' ' + fields.at(2);
    Totals& total = traced.totals[port];
    ++total.transactions;
    total.bytes += std::stoull(fields.at(10));
    total.errors += fields.at(14) != "ok" && fields.at(14) != "incomplete" ? 1 : 0;
    if (fields.at(14) != "incomplete") continue;
    ++traced.unfinished[port].transactions;
    traced.unfinished[port].bytes += std::stoull(fields.at(10));
  }
  return traced;
}

ByPort in_text(const std::string& path) {
  std::ifstream stream(path);
  ByPort totals;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream text(line);
    std::string time, unit, port, command, address, bytes;
    text >> time >> unit >> port >> command >> address >> bytes;
    if (command != "read" && command != "write") continue;
    Totals& total = totals[port + ' ' + command];
    ++total.transactions;
    total.bytes += std::stoull(bytes);
    const bool fine = line.find("bytes, ok ") != std::string::npos ||
                      line.find("bytes, incomplete ") != std::string::npos;
    total.errors += fine ? 0 : 1;
  }
  return totals;
}

ByPort in_database(const std::string& path) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
  ByPort totals;
  sqlite3_exec(
      database, "SELECT port, command, transactions, bytes, errors FROM by_port",
      [](void* result, int, char** v, char**) {
        (*static_cast<ByPort*>(result))[std::string(v[0]) + ' ' + v[1]] = {
            std::stoull(v[2]), std::stoull(v[3]), std::stoull(v[4])};
        return 0;
      },
      &totals, nullptr);
  sqlite3_close(database);
  return totals;
}

ByPort in_waves(Waves waves, bool finished) {
  ByPort totals;
  constexpr std::string_view kPorts = "ports.", kNumber = ".number";
  for (const auto& [name, wave] : Waves(waves)) {
    if (name.rfind(kPorts, 0) != 0 || name.size() < kNumber.size() ||
        name.substr(name.size() - kNumber.size()) != kNumber)
      continue;
    const std::string port = name.substr(0, name.size() - kNumber.size());
    const auto value = [&](const char* variable) { return waves[port + variable].last(); };
    const std::string title = port.substr(kPorts.size());
    if (value(".reads") != 0) totals[title + " read"] = {value(".reads"), value(".bytes_read"), 0};
    if (value(".writes") != 0)
      totals[title + " write"] = {value(".writes"), value(".bytes_written"), 0};
    if (finished) {
      EXPECT_EQ(value(".outstanding"), 0u) << title;
    }
  }
  return totals;
}

ByPort in_perfetto(const std::string& path) {
  const PerfettoFile file(path, false);
  EXPECT_THAT(file.overlaps, testing::IsEmpty());
  ByPort totals;
  for (const auto& [port, total] : file.totals)
    totals[port] = {total.transactions, total.bytes, total.errors};
  return totals;
}

std::vector<std::vector<std::string>> rows_of(const std::string& path, const std::string& record) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(record + ',', 0) != 0) continue;
    std::istringstream text(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    rows.push_back(fields);
  }
  return rows;
}

}  // namespace gvp::test
