// SPDX-License-Identifier: Apache-2.0
// What the tests of whole runs with --trace share: files that are removed afterwards, and what each
// format says of transactions and bytes.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "tests/trace/waves.h"

namespace gvp::test {

// Whether this build has blocks of RTL, and the FST writer.
bool has_rtl();
bool has_fst();

// Transactions and bytes, errors apart: what traces and models must agree about.
struct Totals {
  uint64_t transactions = 0, bytes = 0, errors = 0;
  bool operator==(const Totals& other) const {
    return transactions == other.transactions && bytes == other.bytes && errors == other.errors;
  }
};
void PrintTo(const Totals& totals, std::ostream* stream);
using ByPort = std::map<std::string, Totals>;  // "host_data read"

class Traces : public testing::Test {
 protected:
  // A path in the tests' temporary folder, removed with this.
  std::string file(const std::string& name);
  // What a writer that ends early leaves beside its file goes with it.
  void remove_beside(const std::string& path, const char* suffix) {
    files_.push_back(path + suffix);
  }
  ~Traces() override;

 private:
  std::vector<std::string> files_;
};

struct Traced {
  ByPort totals;  // what nothing is mapped for apart: models count that apart, too
  ByPort unfinished;
};

Traced in_csv(const std::string& path);
ByPort in_text(const std::string& path);
ByPort in_database(const std::string& path);
// finished: nothing is under way at the end.
ByPort in_waves(Waves waves, bool finished = true);
ByPort in_perfetto(const std::string& path);

// One line for each record of a .csv, as fields.
std::vector<std::vector<std::string>> rows_of(const std::string& path, const std::string& record);

}  // namespace gvp::test
