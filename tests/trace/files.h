// SPDX-License-Identifier: Apache-2.0
// Files of a test, removed with it, and a sink that keeps what it gets.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "trace/filter.h"
#include "trace/recorder.h"

namespace gvp::trace {

class Files {
 public:
  std::string operator()(const std::string& name) {
    paths_.push_back(testing::TempDir() + std::to_string(getpid()) + "_" + name);
    return paths_.back();
  }
  ~Files() {
    for (const std::string& path : paths_) std::remove(path.c_str());
  }

 private:
  std::vector<std::string> paths_;
};

inline std::string contents(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline Specification into(const std::string& file, const std::string& filter = "") {
  return parse_specification(filter.empty() ? file : file + ':' + filter, {"--trace", 1, 1});
}

// A transaction with a value of its own in every place.
inline Transaction sample(Recorder& recorder, uint64_t number = 7) {
  Names& names = recorder.names();
  Transaction t;
  t.number = number;
  t.parent = 3;
  t.root = 2;
  t.port = names.number("ddr3");
  t.initiator = names.number("host_data");
  t.target = names.number("memory");
  t.origin = names.number("main");
  t.command = Command::kWrite;
  t.response = Response::kAddressError;
  t.length = 64;
  t.outstanding = 5;
  t.address = 0x50000040;
  t.begin = 1000001;
  t.response_begin = 1000501;
  t.end = 1001001;
  return t;
}

}  // namespace gvp::trace
