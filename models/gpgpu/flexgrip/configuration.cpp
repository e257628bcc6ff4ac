// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/configuration.h"

#include <fmt/format.h>

#include <utility>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/keys.h"

namespace gvp::gpgpu::flexgrip {
namespace {

void require(bool condition, const char* key, const std::string& value, const char* allowed) {
  if (condition) return;
  throw bad_input(fmt::format("gpgpu.{} = {} is not possible", key, value), {},
                  fmt::format("gpgpu.{} takes {}", key, allowed));
}

}  // namespace

void validate(const Configuration& c) {
  std::any settings = c;
  for (const device::Key& key : keys()) device::require_allowed("gpgpu", key, settings);
  hierarchy::validate(c.hierarchy(), "gpgpu");
  for (const auto& [key, on] : {
           std::pair{"l1.enabled", c.l1.enabled},
           std::pair{"l2.enabled", c.l2.enabled},
           std::pair{"texture_cache.enabled", c.texture_cache.enabled},
           std::pair{"perfect_memory", c.perfect_memory},
       })
    require(!on || c.global_memory == "ddr3", key, "true",
            "true only with gpgpu.global_memory = \"ddr3\": block RAM has nothing before it");
  for (const auto& [key, on] : {std::pair{"instruction_cache.enabled", c.instruction_cache.enabled},
                                std::pair{"constant_cache.enabled", c.constant_cache.enabled}})
    require(
        !on || c.global_memory == "ddr3", key, "true",
        "true only with gpgpu.global_memory = \"ddr3\": what it caches is then in memory on the "
        "bus, else in block RAM of the device");
  require(c.network.topology == "none" || c.global_memory == "ddr3", "network.topology",
          '"' + c.network.topology + '"',
          "\"none\" unless gpgpu.global_memory is \"ddr3\": each SM has a port of its own to block "
          "RAM");
  require(
      !c.device_extensions || c.global_memory == "bram", "device_extensions", "true",
      "true only with gpgpu.global_memory = \"bram\": AXI4 has no locked transactions, so nothing "
      "is atomic in memory on the bus");
  require(!c.device_extensions || c.global_addresses == "checked", "device_extensions", "true",
          "true only with gpgpu.global_addresses = \"checked\"");
  require(c.request_bytes == 0 || c.global_memory == "ddr3", "request_bytes",
          std::to_string(c.request_bytes),
          "0 unless gpgpu.global_memory is \"ddr3\": block RAM is accessed word by word");
  require(c.outstanding == 1 || c.global_memory == "ddr3", "outstanding",
          std::to_string(c.outstanding),
          "1 unless gpgpu.global_memory is \"ddr3\": block RAM is not behind the bus port");
  require(c.sm_requests == 0 || c.global_memory == "ddr3", "sm_requests",
          std::to_string(c.sm_requests),
          "0 unless gpgpu.global_memory is \"ddr3\": block RAM answers each lane in the pipeline");
  require(c.coalescing == "none" || c.global_memory == "ddr3", "coalescing",
          '"' + c.coalescing + '"',
          "\"none\" unless gpgpu.global_memory is \"ddr3\": block RAM is accessed word by word");
  require(
      !c.is_off_chip() || c.off_chip_end() <= uint64_t{1} << 32, "off_chip_base",
      fmt::format("{:#x}", c.off_chip_base),
      fmt::format("{:#x} at most: {:#x} bytes of system and constant memory are to end with the "
                  "address space",
                  (uint64_t{1} << 32) - (c.off_chip_end() - c.off_chip_base),
                  c.off_chip_end() - c.off_chip_base)
          .c_str());
  if (c.global_addresses != "wrap") return;
  require(c.global_memory == "bram", "global_addresses", "\"wrap\"",
          "\"checked\" when gpgpu.global_memory is \"ddr3\"");
  require((c.global_bytes & (c.global_bytes - 1)) == 0, "global_bytes",
          std::to_string(c.global_bytes), "a power of two when gpgpu.global_addresses is \"wrap\"");
}

}  // namespace gvp::gpgpu::flexgrip
