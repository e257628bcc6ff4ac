// SPDX-License-Identifier: Apache-2.0
#include "models/axi/devices/rtl_block_ram.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "models/axi/pins/statistics.h"
#include "models/rtl/block_table.h"

namespace gvp::axi {
namespace {

constexpr unsigned kWordBits = 32, kWordBytes = 4;

}  // namespace

BlockRamPins::BlockRamPins(rtl::Block& block, kit::Storage& storage)
    : storage_(storage),
      enable_(block.output_pin("bram_en", 1)),
      strobes_(block.output_pin("bram_we", kWordBytes)),
      address_(block.output_pin("bram_addr", kWordBits)),
      write_data_(block.output_pin("bram_wrdata", kWordBits)),
      read_data_(block.input_pin("bram_rddata", kWordBits)) {
  block.watch(enable_, *this);
  block.add(*this);
}

void BlockRamPins::sample() {
  reads_ = false;
  if (!enable_.high()) return;
  uint8_t* word = storage_.data() + address_.get() / kWordBytes * kWordBytes % storage_.size();
  const uint64_t strobes = strobes_.get();
  const uint64_t data = write_data_.get();
  for (unsigned lane = 0; lane < kWordBytes; ++lane)
    if ((strobes >> lane & 1) != 0) word[lane] = static_cast<uint8_t>(data >> (8 * lane));
  reads_ = strobes == 0;
  if (reads_) std::memcpy(&read_, word, kWordBytes);
}

void BlockRamPins::drive() {
  if (reads_) read_data_.set(read_);
}

RtlBlockRam::RtlBlockRam(const sc_core::sc_module_name& name, const std::string& block,
                         const rtl::BlockConfiguration& configuration, uint64_t size)
    : sc_module(name),
      storage_(size),
      block_("block", rtl::block_named(block), configuration),
      port_(pins::find_port(block_, "s_axi_", false)),
      bus_("bus", block_, port_),
      checker_(block_, port_),
      ram_(block_, storage_) {
  bus_.set_back_door(
      [this](tlm::tlm_generic_payload& payload) { return storage_.debug_access(payload); });
}

nlohmann::ordered_json RtlBlockRam::statistics() const {
  nlohmann::ordered_json json;
  json["rtl"] = block_.statistics();
  json["rtl"]["protocol_check"] = pins::to_json(checker_);
  return json;
}

}  // namespace gvp::axi
