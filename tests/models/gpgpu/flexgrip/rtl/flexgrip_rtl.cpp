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

// Up to 64 bits.
template <typename Pin>
uint64_t value_of(const Pin& pin) {
  uint64_t value = 0;
  std::memcpy(&value, pin.data, std::min<size_t>(pin.bytes, sizeof value));
  return value;
}

// Of pins with as many bits for each SM.
template <typename Pin>
uint32_t field(const Pin& pin, unsigned bits, unsigned sm) {
  return static_cast<uint32_t>(value_of(pin) >> (bits * sm) & ((uint64_t{1} << bits) - 1));
}

// Of pins with a word for each SM.
template <typename Pin>
uint32_t word(const Pin& pin, unsigned sm) {
  uint32_t value = 0;
  std::memcpy(&value, pin.data + sizeof value * sm, sizeof value);
  return value;
}

}  // namespace

FlexGripRtl::FlexGripRtl(const std::string& block) : FlexGripRtl(block_of(block)) {}

FlexGripRtl::FlexGripRtl(const gvp_rtl_block& block)
    : type_(block), model_(type_.create("flexgrip", 0)) {
  for (size_t i = 0; i < type_.pin_count; ++i) {
    const gvp_rtl_pin& pin = type_.pins[i];
    const unsigned bytes = pin.bits <= 8    ? 1
                           : pin.bits <= 16 ? 2
                           : pin.bits <= 32 ? 4
                           : pin.bits <= 64 ? 8
                                            : (pin.bits + 31) / 32 * 4;
    if (std::strcmp(pin.name, "trace_issued") == 0) sms_ = pin.bits;
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
  pc_ = pins_.at("trace_pc");
  warp_ = pins_.at("trace_warp");
  row_ = pins_.at("trace_row");
  forget_rows();
}

FlexGripRtl::~FlexGripRtl() { type_.destroy(model_); }

uint64_t FlexGripRtl::get(const std::string& pin) const {
  const Pin& p = pins_.at(pin);
  uint64_t value = 0;
  std::memcpy(&value, p.data, std::min<size_t>(p.bytes, sizeof value));
  return value;
}

void FlexGripRtl::set(const std::string& pin, uint64_t value) {
  const Pin& p = pins_.at(pin);
  std::memcpy(p.data, &value, p.bytes);
}

void FlexGripRtl::eval() {
  if (type_.eval(model_) != 0) throw std::runtime_error(type_.error(model_));
}

void FlexGripRtl::forget_rows() {
  rows.assign(sms_, {});
  left_rows_.assign(sms_, {});
  issued_one_ = false;
}

void FlexGripRtl::watch() {
  if (value_of(issued_) != 0 && !issued_one_) {
    issued_one_ = true;
    first_issue_ = cycle_;
  }
  for (unsigned sm = 0; sm < sms_; ++sm) watch(sm);
}

// The rows of an SM come in the order of their issue at every stage.
void FlexGripRtl::watch(unsigned sm) {
  if (field(issued_, 1, sm) != 0) {
    fidelity::IssuedRow row;
    row.warp = field(warp_, 5, sm);
    row.row = field(row_, 2, sm);
    row.pc = word(pc_, sm);
    row.issue = cycle_ - first_issue_;
    rows[sm].push_back(row);
  }
  const uint32_t left = field(left_, 5, sm);
  const uint64_t at = cycle_ + 1 - first_issue_;
  for (unsigned stage = 0; left != 0 && stage < 5; ++stage) {
    if ((left >> stage & 1) == 0) continue;
    fidelity::IssuedRow& row = rows[sm].at(left_rows_[sm][stage]++);
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
  // What memory answers after the edge: where to, and the word
  struct Answer {
    uint8_t* to;
    uint32_t word;
  };
  std::vector<Answer> answers;
  const auto read = [&](const Pin& enable, const Pin& at, const Pin& data, unsigned sm,
                        const std::vector<uint8_t>& memory, size_t base = 0) {
    if (field(enable, 1, sm) == 0) return;
    Answer answer = {data.data + sizeof(uint32_t) * sm, 0};
    std::memcpy(&answer.word, &memory.at(base + word(at, sm)), sizeof answer.word);
    answers.push_back(answer);
  };
  const auto write = [](const Pin& enable, const Pin& at, const Pin& strobes, const Pin& data,
                        unsigned sm, std::vector<uint8_t>& memory, size_t base = 0) {
    for (unsigned byte = 0; field(enable, 1, sm) != 0 && byte < 4; ++byte)
      if ((field(strobes, 4, sm) >> byte & 1) != 0)
        memory.at(base + word(at, sm) + byte) = static_cast<uint8_t>(word(data, sm) >> 8 * byte);
  };
  const size_t local_bytes = local.size() / sms_;
  for (unsigned sm = 0; sm < sms_; ++sm) {
    if (field(local_clear_, 1, sm) != 0)
      std::fill_n(local.begin() + static_cast<std::ptrdiff_t>(sm * local_bytes), local_bytes,
                  uint8_t{0});
    if (field(code_enable_, 1, sm) != 0) {
      const uint32_t at = word(code_address_, sm) / 4;
      answers.push_back({code_data_.data + 4 * sm, at < code.size() ? code[at] : 0});
    }
    read(local_read_, local_read_address_, local_read_data_, sm, local, sm * local_bytes);
    read(read_, read_address_, read_data_, sm, global);
  }
  for (unsigned sm = 0; sm < sms_; ++sm) {
    write(write_, write_address_, write_strobes_, write_data_, sm, global);
    write(local_write_, local_write_address_, local_write_strobes_, local_write_data_, sm, local,
          sm * local_bytes);
    write(constant_enable_, constant_address_, constant_strobes_, constant_write_data_, sm,
          constants);
    read(constant_enable_, constant_address_, constant_read_data_, sm, constants);
  }
  const bool host_reads_constant = value_of(constant_host_read_) != 0;
  const uint64_t host_address = value_of(constant_host_address_) % kConstantBytes;
  *clock_.data = 1;
  eval();
  for (const Answer& answer : answers) std::memcpy(answer.to, &answer.word, sizeof answer.word);
  if (host_reads_constant)
    std::memcpy(constant_host_data_.data, &constants.at(host_address), sizeof(uint32_t));
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
  forget_rows();
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
