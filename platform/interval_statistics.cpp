// SPDX-License-Identifier: Apache-2.0
#include "platform/interval_statistics.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <systemc>

#include "models/base/error.h"

namespace gvp::platform {

using Json = nlohmann::ordered_json;

IntervalStatistics::IntervalStatistics(const std::string& path) : path_(path) {
  if (path_ == "-") return;
  file_.open(path_, std::ios::binary | std::ios::trunc);
  if (!file_) fail();
}

void IntervalStatistics::append(Json blocks) {
  for (auto& [name, block] : blocks.items())
    if (block.is_object())
      for (const char* list : {"kernels", "functions"}) block.erase(list);
  Json line{{"sim_time_ns", sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS)}};
  line.update(blocks);
  std::ostream& stream = path_ == "-" ? std::cout : file_;
  stream << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
  if (!stream) fail();
}

void IntervalStatistics::close() {
  if (path_ == "-") return;
  file_.close();
  if (!file_) fail();
}

void IntervalStatistics::fail() const {
  throw bad_input("cannot write the statistics", {path_}, "check the path and the free space");
}

}  // namespace gvp::platform
