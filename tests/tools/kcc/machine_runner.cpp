// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/kcc/machine_runner.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "models/gpgpu/flexgrip/sm.h"

namespace gvp::kcc {
namespace {

namespace flexgrip = gpgpu::flexgrip;
namespace isa = gpgpu::g80;
namespace simt = gpgpu::simt;

// Variables are in the first bank, and the others hold a few words of each kernel.
constexpr uint32_t kFirstBankBytes = 64 * 1024;
constexpr uint32_t kBankBytes = 4096;
constexpr uint32_t kBanks = 16;

uint32_t begin_of(uint32_t bank) {
  return bank == 0 ? 0 : kFirstBankBytes + (bank - 1) * kBankBytes;
}
constexpr uint64_t kMostInstructions = 50'000'000;  // of a warp

flexgrip::Configuration configuration() {
  flexgrip::Configuration c;
  c.threads_per_block = 512;
  c.stack_depth = 32;
  c.local_bytes = 4096;
  return c;
}

void fill(std::vector<uint8_t>& constants, const isa::ConstantSegment& segment) {
  if (segment.words.empty()) return;
  std::memcpy(&constants.at(begin_of(segment.bank) + segment.offset), segment.words.data(),
              4 * segment.words.size());
}

std::vector<uint8_t> constants_of(const isa::Module& module, const isa::Kernel& kernel,
                                  std::vector<uint8_t>& global) {
  std::vector<uint8_t> constants(begin_of(kBanks));
  for (const auto& segment : module.constants) fill(constants, segment);
  for (const auto& segment : kernel.constants) fill(constants, segment);
  for (const auto& relocation : module.relocations) {
    const auto address = static_cast<uint32_t>((global.size() + 15) / 16 * 16);
    global.resize(address + relocation.bytes);
    if (!relocation.words.empty()) {
      std::memcpy(&global[address], relocation.words.data(), relocation.bytes);
    }
    std::memcpy(&constants.at(begin_of(relocation.bank) + relocation.offset), &address, 4);
  }
  return constants;
}

std::string text_of(const gpgpu::Fault& fault) {
  return fmt::format("{} at pc {:#x}, address {:#x}, lane {}", gpgpu::text_of(fault.cause),
                     fault.pc, fault.address, fault.lane);
}

}  // namespace

RunResult run_on_machine(const isa::Module& module, const std::string& name, const ptx::Grid& grid,
                         const std::vector<uint32_t>& parameters, std::vector<uint8_t>& global) {
  const isa::Kernel& kernel = module.kernel(name, "test");
  std::vector<uint8_t> constants = constants_of(module, kernel, global);
  isa::Machine machine;
  machine.constants = constants.data();
  machine.constant_bytes = static_cast<uint32_t>(constants.size());
  for (uint32_t bank = 0; bank < kBanks; ++bank)
    machine.banks[bank] = {begin_of(bank), begin_of(bank + 1) - begin_of(bank)};
  machine.global.data = global.data();
  machine.global.bytes = global.size();
  machine.device_extensions = true;  // only code that was asked for has them
  flexgrip::Configuration limits = configuration();
  limits.device_extensions = true;
  const isa::Program program(kernel.code.data(), kernel.code.size(), kernel.registers, machine);
  flexgrip::Kernel launch;
  launch.registers_per_thread = kernel.registers;
  launch.shared_static_bytes = kernel.static_shared_bytes();
  launch.shared_dynamic_bytes = grid.dynamic_shared_bytes;
  launch.block_x = grid.block_x;
  launch.block_y = grid.block_y;
  launch.block_z = grid.block_z;
  launch.grid_x = grid.grid_x;
  launch.grid_y = grid.grid_y;
  launch.parameter_count = static_cast<uint32_t>(parameters.size());
  launch.parameters = parameters;
  const gpgpu::Admission admission = flexgrip::admit(launch, limits);
  RunResult result;
  if (admission.cause != gpgpu::FaultCause::kNone) {
    result.fault = admission.message;
    return result;
  }
  flexgrip::Sm sm(limits, 0);
  sm.prepare(launch, program, 1);
  simt::BlockScheduler scheduler({grid.grid_x, grid.grid_y, 1}, 1);
  for (auto batch = scheduler.next_batch(0, 1); !batch.empty();
       batch = scheduler.next_batch(0, 1)) {
    sm.load(batch);
    while (sm.unfinished() != 0) {
      if (sm.ready() == 0) {
        result.fault = "deadlock at a barrier";
        return result;
      }
      for (unsigned slot = 0; slot < sm.warps(); ++slot) {
        if (sm.state(slot) != flexgrip::WarpState::kReady) continue;
        isa::RunCounters counters;
        std::vector<isa::OpCounts> by_op(program.ops().size());
        const isa::Stop stop =
            isa::run(machine, program, sm.warp(slot), kMostInstructions, counters, by_op.data());
        result.warp_instructions += counters.warp_instructions;
        if (stop == isa::Stop::kFault || stop == isa::Stop::kNone) {
          result.fault = stop == isa::Stop::kNone ? "endless loop" : text_of(sm.warp(slot).fault);
          return result;
        }
        sm.settle(slot, stop);
      }
    }
  }
  return result;
}

}  // namespace gvp::kcc
