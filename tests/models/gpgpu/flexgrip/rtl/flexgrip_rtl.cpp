// SPDX-License-Identifier: Apache-2.0
#include "tests/models/gpgpu/flexgrip/rtl/flexgrip_rtl.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "models/rtl/block_table.h"

namespace gvp::test {
namespace {

constexpr unsigned kResetCycles = 16;
constexpr unsigned kAnswerCycles = 100;
constexpr size_t kConstantBytes = 32768;

const gvp_rtl_block& block_of(const std::string& name) {
  for (const gvp_rtl_block* block : rtl::built_in_blocks())
    if (name == block->name) return *block;
  throw std::runtime_error("there is no RTL block " + name);
}

template <typename Pin>
uint32_t value_of(const Pin& pin) {
  uint32_t value = 0;
  std::memcpy(&value, pin.data, pin.bytes);
  return value;
}

}  // namespace

FlexGripRtl::FlexGripRtl(const std::string& block)
    : type_(block_of(block)), model_(type_.create("flexgrip", 0)) {
  for (size_t i = 0; i < type_.pin_count; ++i) {
    const gvp_rtl_pin& pin = type_.pins[i];
    const unsigned bytes = pin.bits <= 8 ? 1 : pin.bits <= 16 ? 2 : pin.bits <= 32 ? 4 : 8;
    pins_[pin.name] = {static_cast<uint8_t*>(type_.pin_data(model_, i)), bytes};
  }
  clock_ = pins_.at("aclk");
  code_enable_ = pins_.at("code_enable");
  code_address_ = pins_.at("code_address");
  code_data_ = pins_.at("code_data");
  read_ = pins_.at("global_read");
  read_address_ = pins_.at("global_read_address");
  read_data_ = pins_.at("global_read_data");
  write_ = pins_.at("global_write");
  write_address_ = pins_.at("global_write_address");
  write_strobes_ = pins_.at("global_write_strobes");
  write_data_ = pins_.at("global_write_data");
  constants.resize(kConstantBytes);
  constant_enable_ = pins_.at("constant_enable");
  constant_address_ = pins_.at("constant_address");
  constant_strobes_ = pins_.at("constant_strobes");
  constant_write_data_ = pins_.at("constant_write_data");
  constant_read_data_ = pins_.at("constant_read_data");
  constant_host_read_ = pins_.at("constant_host_read");
  constant_host_address_ = pins_.at("constant_host_address");
  constant_host_data_ = pins_.at("constant_host_data");
  local_clear_ = pins_.at("local_clear");
  local_read_ = pins_.at("local_read");
  local_read_address_ = pins_.at("local_read_address");
  local_read_data_ = pins_.at("local_read_data");
  local_write_ = pins_.at("local_write");
  local_write_address_ = pins_.at("local_write_address");
  local_write_strobes_ = pins_.at("local_write_strobes");
  local_write_data_ = pins_.at("local_write_data");
  issued_ = pins_.at("trace_issued");
  left_ = pins_.at("trace_left");
}

FlexGripRtl::~FlexGripRtl() { type_.destroy(model_); }

uint64_t FlexGripRtl::get(const std::string& pin) const {
  const Pin& p = pins_.at(pin);
  uint64_t value = 0;
  std::memcpy(&value, p.data, p.bytes);
  return value;
}

void FlexGripRtl::set(const std::string& pin, uint64_t value) {
  const Pin& p = pins_.at(pin);
  std::memcpy(p.data, &value, p.bytes);
}

void FlexGripRtl::eval() {
  if (type_.eval(model_) != 0) throw std::runtime_error(type_.error(model_));
}

// The rows come in the order of their issue at every stage.
void FlexGripRtl::watch() {
  if (value_of(issued_) != 0) {
    if (rows.empty()) first_issue_ = cycle_;
    fidelity::IssuedRow row;
    row.warp = static_cast<uint32_t>(get("trace_warp"));
    row.row = static_cast<uint32_t>(get("trace_row"));
    row.pc = static_cast<uint32_t>(get("trace_pc"));
    row.issue = cycle_ - first_issue_;
    rows.push_back(row);
  }
  const uint32_t left = value_of(left_);
  const uint64_t at = cycle_ + 1 - first_issue_;
  for (unsigned stage = 0; left != 0 && stage < 5; ++stage) {
    if ((left >> stage & 1) == 0) continue;
    fidelity::IssuedRow& row = rows.at(left_rows_[stage]++);
    (stage == 0   ? row.fetch
     : stage == 1 ? row.decode
     : stage == 2 ? row.read
     : stage == 3 ? row.execute
                  : row.write) = at;
  }
}

void FlexGripRtl::cycle() {
  eval();
  if (record_rows) watch();
  const bool fetches = value_of(code_enable_) != 0;
  const uint32_t code_address = value_of(code_address_);
  const bool loads = value_of(read_) != 0;
  const uint32_t load_address = value_of(read_address_);
  const bool loads_local = value_of(local_read_) != 0;
  const uint32_t local_address = value_of(local_read_address_);
  const auto write = [](const Pin& enable, const Pin& at, const Pin& strobes, const Pin& data,
                        std::vector<uint8_t>& memory) {
    for (unsigned byte = 0; value_of(enable) != 0 && byte < 4; ++byte)
      if ((value_of(strobes) >> byte & 1) != 0)
        memory.at(value_of(at) + byte) = static_cast<uint8_t>(value_of(data) >> 8 * byte);
  };
  if (value_of(local_clear_) != 0) std::fill(local.begin(), local.end(), uint8_t{0});
  write(write_, write_address_, write_strobes_, write_data_, global);
  write(local_write_, local_write_address_, local_write_strobes_, local_write_data_, local);
  const bool reads_constant = value_of(constant_enable_) != 0;
  const uint32_t constant_address = value_of(constant_address_);
  for (unsigned byte = 0; reads_constant && byte < 4; ++byte)
    if ((value_of(constant_strobes_) >> byte & 1) != 0)
      constants.at(constant_address + byte) =
          static_cast<uint8_t>(value_of(constant_write_data_) >> 8 * byte);
  const bool host_reads_constant = value_of(constant_host_read_) != 0;
  const uint32_t host_address = value_of(constant_host_address_) % kConstantBytes;
  *clock_.data = 1;
  eval();
  if (reads_constant)
    std::memcpy(constant_read_data_.data, &constants.at(constant_address), sizeof(uint32_t));
  if (host_reads_constant)
    std::memcpy(constant_host_data_.data, &constants.at(host_address), sizeof(uint32_t));
  if (fetches) {
    const uint32_t word = code_address / 4 < code.size() ? code[code_address / 4] : 0;
    std::memcpy(code_data_.data, &word, sizeof word);
  }
  if (loads_local) std::memcpy(local_read_data_.data, &local.at(local_address), 4);
  if (loads) std::memcpy(read_data_.data, &global.at(load_address), 4);
  *clock_.data = 0;
  eval();
  ++cycle_;
}

void FlexGripRtl::reset() {
  set("aresetn", 0);
  for (unsigned i = 0; i < kResetCycles; ++i) cycle();
  set("aresetn", 1);
}

bool FlexGripRtl::write(uint32_t address, uint32_t value, unsigned strobes) {
  rows.clear();
  std::memset(left_rows_, 0, sizeof left_rows_);
  set("s_axi_awaddr", address);
  set("s_axi_wdata", value);
  set("s_axi_wstrb", strobes);
  set("s_axi_awvalid", 1);
  set("s_axi_wvalid", 1);
  set("s_axi_bready", 1);
  cycle();
  set("s_axi_awvalid", 0);
  set("s_axi_wvalid", 0);
  for (unsigned i = 0; i < kAnswerCycles; ++i) {
    const bool answered = get("s_axi_bvalid") != 0;
    const bool okay = get("s_axi_bresp") == 0;
    cycle();
    if (answered) return okay;
  }
  throw std::runtime_error("no answer to a write");
}

bool FlexGripRtl::read(uint32_t address, uint32_t& value) {
  set("s_axi_araddr", address);
  set("s_axi_arvalid", 1);
  set("s_axi_rready", 1);
  cycle();
  set("s_axi_arvalid", 0);
  for (unsigned i = 0; i < kAnswerCycles; ++i) {
    const bool answered = get("s_axi_rvalid") != 0;
    const bool okay = get("s_axi_rresp") == 0;
    value = static_cast<uint32_t>(get("s_axi_rdata"));
    cycle();
    if (answered) return okay;
  }
  throw std::runtime_error("no answer to a read");
}

uint32_t FlexGripRtl::register_at(uint32_t address) {
  uint32_t value = 0;
  if (!read(address, value)) throw std::runtime_error("a register answers with an error");
  return value;
}

uint64_t FlexGripRtl::counter(uint32_t address) {
  const uint64_t low = register_at(address);
  return low | uint64_t{register_at(address + 4)} << 32;
}

bool FlexGripRtl::wait_for_interrupt(uint64_t cycles) {
  for (uint64_t i = 0; i < cycles; ++i) {
    if (interrupt()) return true;
    cycle();
  }
  return false;
}

}  // namespace gvp::test
