// SPDX-License-Identifier: Apache-2.0
// FlexGrip's RTL (rtl/flexgrip) at its pins, without SystemC: a clock, AXI4-Lite accesses to its
// control window, code and global memory as block RAM that answers in the next cycle, and the rows
// that its pipeline reports.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fidelity/microbenchmarks.h"
#include "models/rtl/block_interface.h"

namespace gvp::test {

class FlexGripRtl {
 public:
  static std::string block_with(unsigned sms, unsigned sps) {
    return (sms == 1 ? "flexgrip_sp" : "flexgrip_sm" + std::to_string(sms) + "_sp") +
           std::to_string(sps);
  }
  // A block by its name; throws std::runtime_error where there is none.
  explicit FlexGripRtl(const std::string& block);
  explicit FlexGripRtl(const gvp_rtl_block& block);
  ~FlexGripRtl();
  FlexGripRtl(const FlexGripRtl&) = delete;
  FlexGripRtl& operator=(const FlexGripRtl&) = delete;

  std::vector<uint32_t> code;      // words
  std::vector<uint8_t> global;     // bytes
  std::vector<uint8_t> constants;  // bytes
  std::vector<uint8_t> local;      // bytes, of all threads of all SMs
  using Rows = std::vector<fidelity::IssuedRow>;
  std::vector<Rows> rows;  // of the last kernel by SM, counted from the first issue of all
  bool record_rows = false;

  bool has(const std::string& pin) const { return pins_.count(pin) != 0; }
  void tie(const std::string& pin, uint64_t value) { set(pin, value); }
  void reset();
  // True: OKAY.
  bool write(uint32_t address, uint32_t value, unsigned strobes = 15);
  bool read(uint32_t address, uint32_t& value);
  uint32_t register_at(uint32_t address);
  uint64_t counter(uint32_t address);
  bool interrupt() { return get("irq") != 0; }
  // Until the interrupt; false if it does not come within so many cycles.
  bool wait_for_interrupt(uint64_t cycles);
  uint64_t cycles() const { return cycle_; }
  void cycle();

 private:
  uint64_t get(const std::string& pin) const;
  void set(const std::string& pin, uint64_t value);
  void eval();
  void watch();
  void watch(unsigned sm);
  void forget_rows();

  const gvp_rtl_block& type_;
  void* model_;
  struct Pin {
    uint8_t* data;
    unsigned bytes;
  };
  std::map<std::string, Pin> pins_;
  Pin clock_{}, code_enable_{}, code_address_{}, code_data_{}, read_{}, read_address_{},
      read_data_{}, write_{}, write_address_{}, write_strobes_{}, write_data_{}, constant_enable_{},
      constant_address_{}, constant_strobes_{}, constant_write_data_{}, constant_read_data_{},
      constant_host_read_{}, constant_host_address_{}, constant_host_data_{}, local_clear_{},
      local_read_{}, local_read_address_{}, local_read_data_{}, local_write_{},
      local_write_address_{}, local_write_strobes_{}, local_write_data_{}, issued_{}, left_{},
      pc_{}, warp_{}, row_{};
  uint64_t cycle_ = 0;
  uint64_t first_issue_ = 0;
  bool issued_one_ = false;
  unsigned sms_ = 1;
  std::vector<std::array<size_t, 5>> left_rows_;  // by SM, how many rows have left each stage
};

}  // namespace gvp::test
