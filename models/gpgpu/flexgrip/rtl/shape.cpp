// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/rtl/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <iterator>
#include <utility>
#include <variant>

#include "models/base/error.h"
#include "models/device/key.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/keys.h"
#include "models/rtl/block_table.h"

namespace gvp::gpgpu::flexgrip {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& has,
                         const std::string& remedy) {
  throw bad_input(fmt::format("gpgpu.{} = {}: FlexGrip as RTL has {}", key, value, has), {},
                  remedy);
}

// The costs that are inputs (timing_t in flexgrip_pkg.sv), as 8 bits; the RTL's own work fits into
// the defaults.  The others are constants of the RTL (flexgrip_timing_pkg.sv).
constexpr const char* kTiedCosts[] = {
    "configure_batch",     "configure_block",    "configure_thread", "configure_warp",
    "fetch_long",          "fetch_short",        "lane_access",      "lane_byte",
    "lane_store",          "lane_store_byte",    "read_direct",      "read_direct_byte",
    "read_register",       "read_zero_register", "read_gather",      "read_global",
    "read_predicate_row",  "execute_integer",    "execute_multiply", "execute_multiply_add",
    "write_half_register", "write_address",      "write_condition",  "write_shared_address",
    "write_global"};

std::string cost_name(const device::Key& key) { return key.name.substr(key.name.find('.') + 1); }

bool is_tied(const device::Key& key) {
  return std::find(std::begin(kTiedCosts), std::end(kTiedCosts), cost_name(key)) !=
         std::end(kTiedCosts);
}

uint32_t cost_of(const device::Key& key, std::any& settings) {
  return *std::get<uint32_t*>(key.field(settings));
}

void require_costs(const Configuration& configuration) {
  constexpr uint32_t kMost = 255;
  std::any settings = configuration;
  std::any defaults = Configuration{};
  for (const device::Key& key : timing_keys()) {
    const uint32_t value = cost_of(key, settings);
    const uint32_t built = cost_of(key, defaults);
    if (is_tied(key) ? value >= built && value <= kMost : value == built) continue;
    refuse(key.name, std::to_string(value),
           is_tied(key) ? fmt::format("{} to {}", built, kMost) : std::to_string(built),
           "leave the key out, or choose gpgpu.model = \"at\"");
  }
}

}  // namespace

std::string block_for(const Configuration& configuration) {
  require_shape(configuration);  // what no block has, before what this program has not got
  const uint32_t sms = configuration.sms;
  const uint32_t sps = configuration.sps;
  std::string block =
      sms == 1 ? fmt::format("flexgrip_sp{}", sps) : fmt::format("flexgrip_sm{}_sp{}", sms, sps);
  if (rtl::find_block(block) != nullptr || rtl::built_in_blocks().empty()) return block;
  if (sms == 1)
    throw bad_input(
        fmt::format("gpgpu.sps = {}: this program has no FlexGrip of so many SPs as RTL", sps), {},
        fmt::format("build it with cmake -DGVP_FLEXGRIP_RTL_SPS=\"8;16;32\", or with {} alone",
                    sps));
  throw bad_input(
      fmt::format("gpgpu.sms = {}: this program has no FlexGrip of so many SMs with {} SPs as RTL",
                  sms, sps),
      {}, fmt::format("build it with cmake -DGVP_FLEXGRIP_RTL_SPS=\"8;{}x{}\"", sms, sps));
}

void require_shape(const Configuration& c) {
  if (c.floating_point && c.fmad != "ieee")
    refuse("fmad", '"' + c.fmad + '"', "products that are rounded", "set gpgpu.fmad to \"ieee\"");
  // The parameters of rtl/flexgrip/flexgrip.sv; the keys' own ranges see to the memories.
  const struct {
    const char* key;
    uint32_t value, room;
  } limits[] = {{"sms", c.sms, 12},
                {"warps_per_sm", c.warps_per_sm, 32},
                {"blocks_per_sm", c.blocks_per_sm, 8},
                {"registers_per_sm", c.registers_per_sm, 16384},
                {"shared_bytes_per_sm", c.shared_bytes_per_sm, 16384},
                {"constant_bytes", c.constant_bytes, FLEXGRIP_CONSTANT_PAGE_BYTES},
                {"stack_depth", c.stack_depth, 32}};
  for (const auto& limit : limits)
    if (limit.value > limit.room)
      refuse(limit.key, std::to_string(limit.value), fmt::format("room for {}", limit.room),
             "lower it, or choose gpgpu.model = \"at\"");
  if (c.device_extensions)
    refuse("device_extensions", "true", "no atomic operations and no votes",
           "set it to false, or choose gpgpu.model = \"at\"");
  const auto refuse_level = [](const char* key, const std::string& value) {
    refuse(key, value, "its bus port alone before global memory",
           "leave it at its default, or choose gpgpu.model = \"at\"");
  };
  if (c.l1.enabled) refuse_level("l1.enabled", "true");
  if (c.l2.enabled) refuse_level("l2.enabled", "true");
  if (c.texture_cache.enabled) refuse_level("texture_cache.enabled", "true");
  if (c.perfect_memory) refuse_level("perfect_memory", "true");
  const auto refuse_off_chip = [](const char* key, const char* memory) {
    refuse(key, "true", fmt::format("{} memory in block RAM", memory),
           "leave it at its default, or choose gpgpu.model = \"at\"");
  };
  if (c.instruction_cache.enabled) refuse_off_chip("instruction_cache.enabled", "system");
  if (c.constant_cache.enabled) refuse_off_chip("constant_cache.enabled", "constant");
  if (c.request_bytes != 0) refuse_level("request_bytes", std::to_string(c.request_bytes));
  if (c.outstanding != 1) refuse_level("outstanding", std::to_string(c.outstanding));
  if (c.shared_banks != "none")
    refuse("shared_banks", '"' + c.shared_banks + '"', "a shared memory of one port",
           "leave it at its default, or choose gpgpu.model = \"at\"");
  if (c.sm_requests != 0) refuse_level("sm_requests", std::to_string(c.sm_requests));
  if (c.coalescing != "none") refuse_level("coalescing", '"' + c.coalescing + '"');
  if (c.network.topology != "none")
    refuse_level("network.topology", '"' + c.network.topology + '"');
  require_costs(c);
}

void tie_shape(rtl::Block& block, const Configuration& c) {
  const std::pair<const char*, uint64_t> ties[] = {
      {"multiplier", c.multiplier ? 1 : 0},
      {"three_operands", c.three_operands ? 1 : 0},
      {"floating_point", c.floating_point ? 1 : 0},
      {"flush_denormals", c.denormals == "flush" ? 1 : 0},
      {"taken_first", c.first_path == "taken" ? 1 : 0},
      {"full_warps", c.partial_warps == "full" ? 1 : 0},
      {"global_wraps", c.global_addresses == "wrap" ? 1 : 0},
      {"global_on_bus", c.global_memory == "ddr3" ? 1 : 0},
      {"null_page", c.null_page ? 1 : 0},
      {"clock_hz", static_cast<uint64_t>(block.clock().hz())},
      {"warps_per_sm", c.warps_per_sm},
      {"threads_per_sm", c.threads_per_sm},
      {"blocks_per_sm", c.blocks_per_sm},
      {"threads_per_block", c.threads_per_block},
      {"registers_per_sm", c.registers_per_sm},
      {"shared_bytes_per_sm", c.shared_bytes_per_sm},
      {"stack_depth", c.stack_depth},
      {"code_bytes", c.code_bytes},
      {"constant_bytes", c.constant_bytes},
      {"global_bytes", c.global_bytes},
      {"local_bytes", c.local_bytes},
      {"stop", 0}};
  for (const auto& [pin, value] : ties) block.input_pin(pin, 0).set(value);
  std::any settings = c;
  for (const device::Key& key : timing_keys())
    if (is_tied(key)) block.input_pin("timing_" + cost_name(key), 8).set(cost_of(key, settings));
  block.settle();
}

}  // namespace gvp::gpgpu::flexgrip
