// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/configuration.h"

#include <fmt/format.h>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr uint32_t kMaxGlobalBytes = 32u << 20;  // the size of the window in the memory map

void require(bool condition, const char* key, const std::string& value, const char* allowed) {
  if (condition) return;
  throw bad_input(fmt::format("gpgpu.{} = {} is not possible", key, value), {},
                  fmt::format("gpgpu.{} takes {}", key, allowed));
}

void require_range(const char* key, uint32_t value, uint32_t low, uint32_t high) {
  require(value >= low && value <= high, key, std::to_string(value),
          fmt::format("{} to {}", low, high).c_str());
}

void require_choice(const char* key, const std::string& value, const char* a, const char* b) {
  require(value == a || value == b, key, '"' + value + '"',
          fmt::format("\"{}\" or \"{}\"", a, b).c_str());
}

}  // namespace

void validate(const Configuration& c) {
  require_range("sms", c.sms, 1, 64);
  require(c.sps == 8 || c.sps == 16 || c.sps == 32, "sps", std::to_string(c.sps), "8, 16 or 32");
  require(c.clock_hz > 0 && c.clock_hz <= 10e9, "clock_hz", std::to_string(c.clock_hz),
          "more than 0, up to 10e9");
  // The upper ends keep fault and block registers' fields wide enough (flexgrip_registers.h).
  require_range("warps_per_sm", c.warps_per_sm, 1, 256);
  require_range("threads_per_sm", c.threads_per_sm, 32, 32 * 256);
  require_range("blocks_per_sm", c.blocks_per_sm, 1, 256);
  require_range("registers_per_sm", c.registers_per_sm, 32, 1u << 20);
  require_range("shared_bytes_per_sm", c.shared_bytes_per_sm, 256, 64 * 1024);
  require_range("threads_per_block", c.threads_per_block, 1, 1024);
  require_range("stack_depth", c.stack_depth, 0, 64);
  require_range("local_bytes", c.local_bytes, 0, 64 * 1024);
  require_choice("first_path", c.first_path, "taken", "not-taken");
  require_choice("fmad", c.fmad, "truncate", "ieee");
  require_choice("denormals", c.denormals, "flush", "keep");
  require_choice("partial_warps", c.partial_warps, "masked", "full");
  require(c.code_bytes >= 1024 && c.code_bytes <= 256 * 1024 && c.code_bytes % 8 == 0, "code_bytes",
          std::to_string(c.code_bytes), "1024 to 262144, a multiple of 8");
  require(c.constant_bytes >= 256 && c.constant_bytes <= FLEXGRIP_CONSTANT_MEMORY_MAX_BYTES &&
              c.constant_bytes % 4 == 0,
          "constant_bytes", std::to_string(c.constant_bytes), "256 to 32768, a multiple of 4");
  require_choice("global_memory", c.global_memory, "bram", "ddr3");
  require(c.global_bytes >= 4096 && c.global_bytes <= kMaxGlobalBytes && c.global_bytes % 4096 == 0,
          "global_bytes", std::to_string(c.global_bytes), "4096 to 33554432, a multiple of 4096");
  // Zero would stop the warp scheduler for good, or issue before the configuration ends.
  require_range("timing.poll", c.timing.poll, 1, 100000);
  require_range("timing.first_issue", c.timing.first_issue, 1, 100000);
  require_choice("global_addresses", c.global_addresses, "checked", "wrap");
  if (c.global_addresses != "wrap") return;
  require(c.global_memory == "bram", "global_addresses", "\"wrap\"",
          "\"checked\" when gpgpu.global_memory is \"ddr3\"");
  require((c.global_bytes & (c.global_bytes - 1)) == 0, "global_bytes",
          std::to_string(c.global_bytes), "a power of two when gpgpu.global_addresses is \"wrap\"");
}

}  // namespace gvp::gpgpu::flexgrip
