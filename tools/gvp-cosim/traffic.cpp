// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-cosim/traffic.h"

#include "models/gpgpu/flexgrip/flexgrip_registers.h"

namespace gvp::cosim {
namespace {

constexpr uint32_t kMostAccesses = 12;
constexpr uint32_t kRegisterBytes = 0x400;  // that have something of interest
constexpr uint32_t kFreeCode = 0x10000;     // behind every kernel
constexpr uint32_t kCodeBytes = 0x40000;    // of the window
constexpr uint32_t kFreeGlobal = 0x20000;   // behind what kernels use
constexpr uint32_t kGlobalBytes = 0x40000;
constexpr uint32_t kMostCycles = 400;

class Generator {
 public:
  explicit Generator(std::mt19937& random) : random_(random) {}

  Access access(Access::When when) {
    Access access;
    access.when = when;
    access.cycles = below(kMostCycles);
    access.write = below(2) == 0;
    switch (below(4)) {
      case 0:
        take_memory(access, "code", below(2) == 0 && !access.write ? 0 : kFreeCode, kCodeBytes);
        break;
      case 1:
        take_memory(access, "global", kFreeGlobal, kGlobalBytes);
        break;
      default:
        take_control(access);
    }
    return access;
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  void fill(Access& access, uint32_t bytes) {
    access.data.resize(bytes);
    if (access.write)
      for (uint8_t& byte : access.data) byte = static_cast<uint8_t>(below(256));
    if (below(6) != 0 || !access.write) return;
    for (uint32_t i = 0; i < bytes; ++i) access.strobes.push_back(below(2) == 0 ? 0xff : 0);
    access.strobes[below(bytes)] = 0xff;  // one that moves nothing does not reach the pins
  }

  // Sizes that the bus has, aligned.
  void take_memory(Access& access, const char* window, uint32_t first, uint32_t end) {
    access.window = window;
    const uint32_t bytes = 1u << below(7);
    access.offset = first + below(end - first) / bytes * bytes;
    fill(access, bytes);
  }

  void take_control(Access& access) {
    access.window = "control";
    const bool constants = below(4) == 0 && !(access.write && access.when == Access::When::kDuring);
    const uint32_t bytes = below(4) == 0 ? 1u << below(2) : 4;
    access.offset = (constants ? FLEXGRIP_CONSTANT_MEMORY + below(FLEXGRIP_CONSTANT_PAGE_BYTES)
                               : below(kRegisterBytes)) /
                    bytes * bytes;
    fill(access, bytes);
    if (!access.write || access.offset / 4 != FLEXGRIP_CONTROL / 4) return;
    // Neither a start nor a reset; the interrupt stays enabled while somebody waits for it.
    access.data.assign(bytes, 0);
    access.data[0] = FLEXGRIP_CONTROL_INTERRUPT_ENABLE;
  }

  std::mt19937& random_;
};

}  // namespace

std::vector<Access> random_accesses(std::mt19937& random) {
  Generator generator(random);
  std::vector<Access> accesses;
  if (random() % 2 == 0) return accesses;
  for (const Access::When when :
       {Access::When::kBefore, Access::When::kDuring, Access::When::kAfter})
    for (auto count = static_cast<uint32_t>(random()) % kMostAccesses; count != 0; --count)
      accesses.push_back(generator.access(when));
  return accesses;
}

}  // namespace gvp::cosim
