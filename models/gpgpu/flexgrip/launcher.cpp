// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/launcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"

namespace gvp::gpgpu::flexgrip {
namespace {

// Users have the larger part of the memory, before or behind the device's code and constants.
void leave_out_off_chip(const Configuration& configuration, const std::string& name,
                        device::GlobalMemory& global) {
  const uint64_t begin = configuration.off_chip_base;
  const uint64_t end = configuration.off_chip_end();
  const uint64_t memory_end = global.base + global.bytes;
  if (end <= global.base || begin >= memory_end) return;
  const uint64_t before = begin - std::min(begin, global.base);
  const uint64_t behind = memory_end - std::min(memory_end, end);
  if (behind > before) global.base = end;
  global.bytes = std::max(before, behind);
  global.remedy +=
      fmt::format(", and {}'s code and constants lie from {:#x} to {:#x}", name, begin, end - 1);
}

// From 0 in block RAM, bus addresses otherwise.
device::GlobalMemory global_memory_of(const device::Instance& instance,
                                      const std::vector<device::MemoryRange>& memories) {
  const auto& configuration = instance.as<Configuration>();
  if (configuration.global_memory == "bram")
    return {0, configuration.global_bytes, instance.bases.at("global"), true,
            fmt::format("--set {}.global_bytes=33554432 is the most there can be", instance.name)};
  if (memories.empty())
    throw bad_input(fmt::format("{}.global_memory is \"ddr3\", and there is no memory on its bus",
                                instance.name),
                    {}, "add a device of type ddr3 to the board");
  const device::MemoryRange& memory = memories.front();
  device::GlobalMemory global{memory.base, memory.bytes, 0, false,
                              fmt::format("{} begins at {:#x}", memory.device, memory.base)};
  if (configuration.is_off_chip()) leave_out_off_chip(configuration, instance.name, global);
  return global;
}

// A device has registers for so many words and no more.
void check_parameter_count(const device::LaunchRequest& request) {
  if (request.parameters.size() <= FLEXGRIP_MAX_PARAMETERS) return;
  throw bad_input(fmt::format("{} words of parameters, the device has registers for {}",
                              request.parameters.size(), FLEXGRIP_MAX_PARAMETERS),
                  {"--param"}, "pass the address of a structure in global memory instead");
}

}  // namespace

FlexGripLauncher::FlexGripLauncher(const device::Instance& instance,
                                   const device::LaunchRequest& request,
                                   const std::vector<device::MemoryRange>& memories)
    : request_(request),
      bases_(instance.bases),
      global_(global_memory_of(instance, memories)),
      name_by_bus_(instance.model.find("rtl") != std::string::npos) {
  check_parameter_count(request);
  image_ = make_kernel_image(request, instance, global_);
}

void FlexGripLauncher::load(device::LaunchPort& port) {
  port.debug_write(bases_.at("code"), image_.code.data(), image_.code.size() * sizeof(uint32_t));
  load_constants(port);
  const NameWords name = name_words();
  if (!name_by_bus_) port.debug_write(control(FLEXGRIP_KERNEL_NAME(0)), name.data(), sizeof name);
}

// Page by page, where there are several; the first is in the window again afterwards.
void FlexGripLauncher::load_constants(device::LaunchPort& port) const {
  constexpr size_t kPageBytes = FLEXGRIP_CONSTANT_PAGE_BYTES;
  const size_t bytes = image_.constants.size();
  const auto choose = [&](uint32_t page) {
    if (bytes > kPageBytes) port.debug_write(control(FLEXGRIP_CONSTANT_PAGE), &page, sizeof page);
  };
  for (size_t done = 0; done < bytes; done += kPageBytes) {
    choose(static_cast<uint32_t>(done / kPageBytes));
    port.debug_write(control(FLEXGRIP_CONSTANT_MEMORY), &image_.constants[done],
                     std::min(bytes - done, kPageBytes));
  }
  choose(0);
}

FlexGripLauncher::NameWords FlexGripLauncher::name_words() const {
  NameWords words{};
  image_.name.copy(reinterpret_cast<char*>(words.data()), sizeof words);
  return words;
}

void FlexGripLauncher::configure(device::LaunchPort& port) const {
  const auto write = [&](uint32_t offset, uint32_t value) { port.write(control(offset), value); };
  const NameWords name = name_words();
  for (uint32_t i = 0; name_by_bus_ && i < name.size(); ++i)
    write(FLEXGRIP_KERNEL_NAME(i), name[i]);
  write(FLEXGRIP_BLOCKS_PER_CORE, request_.blocks_per_sm);
  write(FLEXGRIP_REGISTERS_PER_THREAD, image_.registers);
  write(FLEXGRIP_SHARED_STATIC_BYTES, image_.static_shared_bytes);
  write(FLEXGRIP_SHARED_DYNAMIC_BYTES, request_.dynamic_bytes);
  write(FLEXGRIP_PARAMETER_COUNT, static_cast<uint32_t>(request_.parameters.size()));
  for (uint32_t i = 0; i < request_.parameters.size(); ++i)
    write(FLEXGRIP_PARAMETER(i), request_.parameters[i]);
  write(FLEXGRIP_BLOCK_X, request_.block[0]);
  write(FLEXGRIP_BLOCK_Y, request_.block[1]);
  write(FLEXGRIP_BLOCK_Z, request_.block[2]);
  write(FLEXGRIP_GRID_X, request_.grid[0]);
  write(FLEXGRIP_GRID_Y, request_.grid[1]);
  for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank) {
    write(FLEXGRIP_CONSTANT_BANK_BASE(bank), image_.banks[bank].base);
    write(FLEXGRIP_CONSTANT_BANK_BYTES(bank), image_.banks[bank].bytes);
  }
}

void FlexGripLauncher::launch(device::LaunchPort& port) {
  configure(port);
  port.write(control(FLEXGRIP_CONTROL), FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
  port.wait_for_interrupt("interrupt");
}

uint64_t FlexGripLauncher::counter(device::LaunchPort& port, uint32_t offset) const {
  const uint64_t low = port.read(control(offset));
  return low | uint64_t{port.read(control(offset + 4))} << 32;
}

device::LaunchResult FlexGripLauncher::result(device::LaunchPort& port) {
  const auto read = [&](uint32_t offset) { return port.read(control(offset)); };
  device::LaunchResult result;
  result.done = (read(FLEXGRIP_STATUS) & FLEXGRIP_STATUS_DONE) != 0;
  const uint32_t cause = read(FLEXGRIP_CAUSE);
  result.is_refused = !result.done && cause < FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION;
  if (!result.done) {
    const uint32_t pc = read(FLEXGRIP_FAULT_PC);
    const uint32_t address = read(FLEXGRIP_FAULT_ADDRESS);
    const uint32_t warp = read(FLEXGRIP_FAULT_WARP);
    const uint32_t block = read(FLEXGRIP_FAULT_BLOCK);
    result.cause = gpgpu_cause_text(cause);
    const std::string source = image_.lines.place(pc);
    result.place =
        fmt::format("pc {:#06x}{}{}, block ({}, {}), SM {} warp {} lane {}, address {:#010x}", pc,
                    source.empty() ? "" : ", ", source, block & 0xffffu, block >> 16, warp >> 24,
                    warp >> 16 & 0xffu, warp & 0xffu, address);
  }
  result.cycles = counter(port, FLEXGRIP_COUNT_CYCLES);
  result.warp_instructions = counter(port, FLEXGRIP_COUNT_WARP_INSTRUCTIONS);
  result.thread_instructions = counter(port, FLEXGRIP_COUNT_THREAD_INSTRUCTIONS);
  return result;
}

}  // namespace gvp::gpgpu::flexgrip
