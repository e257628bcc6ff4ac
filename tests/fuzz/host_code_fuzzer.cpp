// SPDX-License-Identifier: Apache-2.0
// Any memory executed as MicroBlaze code, in any configuration: it ends or goes on, but never
// harms the simulator.  The first bytes choose the configuration, mode and registers, the rest is
// code and data.  Every word is decoded and disassembled, too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "models/base/log.h"
#include "models/host/decoder.h"
#include "models/host/disassembler.h"
#include "tests/models/host/machine.h"

namespace {

using namespace gvp::host;

constexpr uint32_t kMemory = 8192;

// Takes the input from its beginning; zeros when it is used up.
class Input {
 public:
  Input(const uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  uint32_t word() {
    uint32_t value = 0;
    const std::size_t n = left_ < sizeof value ? left_ : sizeof value;
    if (n != 0) std::memcpy(&value, data_, n);
    data_ += n;
    left_ -= n;
    return value;
  }
  bool empty() const { return left_ == 0; }

 private:
  const uint8_t* data_;
  std::size_t left_;
};

Configuration configuration(uint32_t bits) {
  const auto take = [&](uint32_t values) {
    const uint32_t value = bits % values;
    bits /= values;
    return value;
  };
  Configuration c;
  c.big_endian = take(2) != 0;
  c.area_optimized = take(2) != 0;
  c.use_barrel = take(2) != 0;
  c.use_hw_mul = take(3);
  c.use_div = take(2) != 0;
  c.use_fpu = take(3);
  c.use_pcmp_instr = take(2) != 0;
  c.use_reorder_instr = take(2) != 0;
  c.use_msr_instr = take(2) != 0;
  c.fsl_links = take(2) * 16;
  c.use_extended_fsl_instr = take(2) != 0;
  c.use_mmu = take(4);
  c.mmu_zones = take(3) * 8;
  c.use_stack_protection = take(2) != 0;
  c.ill_opcode_exception = take(2) != 0;
  c.unaligned_exceptions = take(2) != 0;
  c.fpu_exception = take(2) != 0;
  c.div_zero_exception = take(2) != 0;
  c.daxi_bus_exception = take(2) != 0;
  return c;
}

void check(uint32_t word, uint32_t pc) {
  const Instruction instruction = decode(word);
  if (instruction.info != nullptr && (word & instruction.info->mask) != instruction.info->match)
    std::abort();
  if (disassemble(word, pc).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  gvp::Log::configure("off");
  Input input(data, size);
  const uint32_t options = input.word();
  const uint32_t caches = input.word();
  Configuration c = configuration(options);
  c.use_icache = (caches & 1) != 0;
  c.use_dcache = (caches & 2) != 0;
  c.cache_model = (caches & 4) != 0 ? "contents" : "always-hit";
  c.lmb_size = 0;
  c.cache_byte_size = c.dcache_byte_size = 256;
  c.icache_baseaddr = c.dcache_baseaddr = 0;
  c.icache_highaddr = c.dcache_highaddr = (caches & 8) != 0 ? 0xfff : 0xffffffff;
  gvp::host::test::Machine machine(c, kMemory);
  machine.bus.allow_direct = (caches & 16) == 0;
  State& state = machine.engine.state();
  state.msr |= input.word() & (msr::kEe | msr::kIe | msr::kVm | msr::kUm | msr::kIce | msr::kDce);
  for (size_t i = 1; i < 32; i += 4) state.r[i] = input.word();
  state.pc = input.word() % kMemory & ~3u;
  for (uint32_t address = 0; address < kMemory && !input.empty(); address += 4) {
    const uint32_t word = input.word();
    check(word, address);
    std::memcpy(&machine.bus.ram[address], &word, sizeof word);
  }
  machine.engine.state_changed();
  constexpr int kRuns = 64;
  constexpr uint32_t kMostCycles = 1000000;
  for (int i = 0; i < kRuns; ++i) {
    machine.engine.set_interrupt((options >> (i % 32) & 1) != 0);
    const Engine::Run run = i % 8 == 7 ? machine.engine.step() : machine.engine.run(64);
    if (run.cycles > kMostCycles || state.r[0] != 0) std::abort();
    if (run.exit == Engine::Exit::kSelfBranch || run.exit == Engine::Exit::kStalled)
      state.pc = (state.pc + 4) % kMemory & ~3u;
    if (run.exit != Engine::Exit::kError) continue;
    if (machine.engine.error().empty()) std::abort();
    break;
  }
  return 0;
}
