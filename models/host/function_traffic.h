// SPDX-License-Identifier: Apache-2.0
// Which functions of the program cause how much traffic on the bus: counted as transactions begin,
// by the instruction that each belongs to.  A look into a table where the instruction has caused
// one before.  Sizes are bytes.
//
// Not here: accesses through direct memory pointers, and what caches and the local memory serve.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace gvp::host {

class FunctionTraffic {
 public:
  // The name of the function that includes an address; false: none is known.
  using FindFunction = std::function<bool(uint32_t pc, std::string& name)>;

  explicit FunctionTraffic(FindFunction find) : find_(std::move(find)) {}

  void count(uint32_t pc, bool write, uint32_t bytes) {
    Known& known = known_[pc / 4 % kKnown];
    if (known.pc != pc) known = {pc, function_at(pc)};
    Function& function = functions_[known.function];
    ++(write ? function.writes : function.reads);
    (write ? function.bytes_written : function.bytes_read) += bytes;
  }

  // [{"name", "reads", "writes", "bytes_read", "bytes_written"}...], most bytes first.  The name is
  // "" where no symbol is known.
  nlohmann::ordered_json to_json() const;

 private:
  static constexpr size_t kKnown = 4096;
  struct Known {
    uint32_t pc = 1;  // no instruction's
    uint32_t function = 0;
  };
  struct Function {
    std::string name;
    uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
  };

  uint32_t function_at(uint32_t pc);

  FindFunction find_;
  std::array<Known, kKnown> known_{};  // of the latest instructions that caused transactions
  std::vector<Function> functions_;
  std::unordered_map<std::string, uint32_t> by_name_;  // in functions_
};

}  // namespace gvp::host
