// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/rtl/sdram_pins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::ddr3 {
namespace {

const Log log_ddr3("ddr3");

// ras_n, cas_n, we_n (JESD79-3, table 6)
constexpr unsigned kActivate = 0b011, kRead = 0b101, kWrite = 0b100, kPrecharge = 0b010,
                   kRefresh = 0b001;
constexpr unsigned kA10 = 1u << 10;  // all banks, or automatically

// A9..A0, A11 and on; A10 is none.
unsigned column_of(unsigned address) { return (address & (kA10 - 1)) | (address >> 1 & kA10); }

}  // namespace

SdramPins::SdramPins(rtl::Block& block, const Device& device, const Timing& timing,
                     const AddressMapping& mapping, kit::Storage& storage,
                     const SdramPinsSettings& settings)
    : block_(block),
      timing_(timing),
      mapping_(mapping),
      column_bytes_(device.data_bits / 8),
      storage_(storage),
      settings_(settings),
      cs_n_(block.output_pin("ddr_cs_n", 1)),
      ras_n_(block.output_pin("ddr_ras_n", 1)),
      cas_n_(block.output_pin("ddr_cas_n", 1)),
      we_n_(block.output_pin("ddr_we_n", 1)),
      bank_(block.output_pin("ddr_ba", 3)),
      address_(block.output_pin("ddr_a", 16)),
      write_data_(block.output_pin("phy_wdata", 8 * kBurstBytes)),
      write_strobes_(block.output_pin("phy_wstrb", kBurstBytes)),
      written_(block.input_pin("phy_written", 1)),
      read_valid_(block.input_pin("phy_rvalid", 1)),
      read_data_(block.input_pin("phy_rdata", 8 * kBurstBytes)),
      refresh_tick_(block.input_pin("refresh_tick", 1)),
      banks_(device.banks),
      checker_(device.banks, timing),
      bank_counters_(device.banks),
      active_(timing) {
  block.add(*this);
  block.watch(cs_n_, *this);
}

void SdramPins::reset() {
  while (!reads_.empty()) reads_.pop_front();
  while (!writes_.empty()) writes_.pop_front();
  for (rtl::Pin* pin : {&written_, &read_valid_, &refresh_tick_}) pin->clear();
  if (settings_.refresh) {
    const uint64_t cycle = block_.edge() + settings_.request_cycles + 1;
    next_refresh_ = (cycle / timing_.trefi + 1) * timing_.trefi - settings_.request_cycles;
  }
}

// ---- commands ----

void SdramPins::sample() {
  if (cs_n_.high()) return;
  const uint64_t edge = block_.edge() + 1;
  const unsigned command =
      static_cast<unsigned>(ras_n_.get() << 2 | cas_n_.get() << 1 | we_n_.get());
  const auto bank = static_cast<unsigned>(bank_.get()) % static_cast<unsigned>(banks_.size());
  const auto address = static_cast<unsigned>(address_.get());
  const bool a10 = (address & kA10) != 0;
  switch (command) {
    case kActivate:
      banks_[bank].row = address;
      banks_[bank].open = banks_[bank].activated = true;
      ++bank_counters_[bank].activates;
      return tell(edge, Command::kActivate, bank, address);
    case kRead:
      tell(edge, a10 ? Command::kReadPrecharge : Command::kRead, bank, banks_[bank].row);
      banks_[bank].open = !a10;
      return access(false, edge, bank, address);
    case kWrite:
      tell(edge, a10 ? Command::kWritePrecharge : Command::kWrite, bank, banks_[bank].row);
      banks_[bank].open = !a10;
      return access(true, edge, bank, address);
    case kPrecharge:
      if (a10) {
        for (Bank& each : banks_) each.open = false;
        return tell(edge, Command::kPrechargeAll, 0, 0);
      }
      banks_[bank].open = false;
      banks_[bank].precharged = true;
      return tell(edge, Command::kPrecharge, bank, 0);
    case kRefresh:
      ++counters_.refreshes;
      return tell(edge, Command::kRefresh, 0, 0);
    default:
      return;  // no operation
  }
}

void SdramPins::tell(uint64_t edge, Command command, unsigned bank, uint32_t row) {
  const uint64_t cycle = edge + settings_.request_cycles;
  active_.command(cycle, command, bank);
  const uint64_t before = checker_.violation_count();
  checker_.on_command(cycle, command, bank, row);
  complain(edge, before);
  for (CommandObserver* observer : observers_) observer->on_command(cycle, command, bank, row);
}

// Of what the checker has found since, while it lists what it finds.
void SdramPins::complain(uint64_t edge, uint64_t violations_before) {
  if (violations_before < checker_.violations().size())
    log_ddr3.error("{} @ {}: the controller breaks a rule of JESD79-3: {}", block_.name(),
                   kit::time_text(block_.clock().at(edge)),
                   checker_.violations()[violations_before]);
}

uint8_t* SdramPins::bytes_at(unsigned bank, unsigned address, uint64_t edge) {
  const uint64_t at =
      mapping_.address({bank, banks_[bank].row}, uint64_t{column_of(address)} * column_bytes_);
  if (storage_.contains(at, kBurstBytes) && at % kBurstBytes == 0) return storage_.data() + at;
  const uint64_t before = checker_.violation_count();
  checker_.on_outside(
      edge + settings_.request_cycles,
      fmt::format("bank {}, row {:#x}, column {:#x}", bank, banks_[bank].row, column_of(address)));
  complain(edge, before);
  return nullptr;
}

// Data are read and written with the command: commands to one row keep their order.
void SdramPins::access(bool write, uint64_t edge, unsigned bank, unsigned address) {
  count(write, bank);
  uint8_t* bytes = bytes_at(bank, address, edge);
  const uint64_t way = settings_.request_cycles + timing_.burst + settings_.response_cycles;
  if (!write) {
    ReadData data;
    data.due = edge + timing_.cl + way;
    if (bytes != nullptr) std::memcpy(data.bytes.data(), bytes, kBurstBytes);
    return reads_.push_back(data);
  }
  writes_.push_back(edge + timing_.cwl + way);
  const uint64_t strobes = write_strobes_.get();
  if (bytes == nullptr) return;
  if (strobes == ~uint64_t{0}) return write_data_.get_bytes(bytes, 0, kBurstBytes);
  for (unsigned i = 0; i < kBurstBytes; ++i)
    if ((strobes >> i & 1) != 0) write_data_.get_bytes(bytes + i, i, 1);
}

void SdramPins::count(bool write, unsigned number) {
  (write ? counters_.writes : counters_.reads) += 1;
  Bank& bank = banks_[number];
  BankCounters& own = bank_counters_[number];
  if (bank.precharged) {
    ++counters_.row_conflicts;
    ++own.conflicts;
  } else if (bank.activated) {
    ++counters_.row_misses;
    ++own.misses;
  } else {
    ++counters_.row_hits;
    ++own.hits;
  }
  bank.activated = bank.precharged = false;
}

// ---- what the controller hears ----

void SdramPins::drive() {
  const uint64_t next = block_.edge() + 1;
  const bool read = !reads_.empty() && reads_.front().due == next;
  if (read) {
    read_data_.set_bytes(reads_.front().bytes.data(), 0, kBurstBytes);
    reads_.pop_front();
  }
  read_valid_.set(read ? 1 : 0);
  const bool written = !writes_.empty() && writes_.front() == next;
  if (written) writes_.pop_front();
  written_.set(written ? 1 : 0);
  const bool tick = next_refresh_ == next;
  if (tick) next_refresh_ += timing_.trefi;
  refresh_tick_.set(tick ? 1 : 0);
}

bool SdramPins::at_rest() const {
  return cs_n_.high() && !read_valid_.high() && !written_.high() && !refresh_tick_.high();
}

uint64_t SdramPins::idle_edges() const {
  if (!at_rest()) return 0;
  uint64_t next = next_refresh_;
  if (!reads_.empty()) next = std::min(next, reads_.front().due);
  if (!writes_.empty()) next = std::min(next, writes_.front());
  if (next == kForever) return kForever;
  const uint64_t driven = next - 1;
  return driven > block_.edge() ? driven - block_.edge() - 1 : 0;
}

// Refreshes of a memory that nobody uses.
bool SdramPins::may_sleep() const { return at_rest() && reads_.empty() && writes_.empty(); }

uint64_t SdramPins::overdue(uint64_t present) {
  if (next_refresh_ > present + 1) return kForever;
  // The first one closes the rows, the last one may still be under way: those in between find and
  // leave everything as it is.
  const bool open = std::any_of(banks_.begin(), banks_.end(), [](const Bank& b) { return b.open; });
  while (!open && next_refresh_ + 2 * timing_.trefi <= present) {
    ++counters_.refreshes;
    tell(next_refresh_, Command::kRefresh, 0, 0);
    next_refresh_ += timing_.trefi;
  }
  return next_refresh_ - 1;
}

}  // namespace gvp::ddr3
