// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace gvp::gpgpu::flexgrip {
namespace {

// Thesis tables 2 and 6 (area, one and two SMs) and 3 (power, one SM).
struct Size {
  uint32_t sps;
  Area one_sm;
  Area two_sms;
  double dynamic_watts;
  double static_watts;
};
// clang-format off
constexpr Size kSizes[] = {
//  SPs  one SM: LUTs     FFs  BRAM  DSP    two SMs: LUTs     FFs  BRAM   DSP   dynamic static
    { 8, { 60375, 103776, 124, 156}, {135392, 196063, 238,  306}, 0.84, 3.45},
    {16, {113504, 149297, 132, 300}, {232064, 287042, 262,  594}, 1.08, 3.46},
    {32, {231436, 240230, 156, 588}, {413094, 468959, 310, 1170}, 1.39, 3.46},
};

// Thesis table 10, one SM of eight SPs with three operands: what a warp stack of so many entries
// has.  As printed: a stack of two entries is smaller than none at all, because that row is of
// another device than the others.
struct Stack {
  double depth, luts, flip_flops, dynamic_energy;  // energy: of the baseline's
};
constexpr Stack kStacks[] = {
    { 0, 42536,  60161, 0.91},
    { 2, 39189,  57301, 0.85},
    {16, 52121,  82017, 0.97},
    {32, 60375, 103776, 1.00},
};
// clang-format on

// Table 10, bitonic sort with a stack of two entries: 2-operand device without multiplier.
constexpr double kTwoOperandLuts = 39189 - 22937;
constexpr double kTwoOperandFlipFlops = 57301 - 27136;
constexpr double kTwoOperandBlockRams = 124 - 120;
constexpr double kTwoOperandDsps = 12;  // what is left of them: address calculation
constexpr double kTwoOperandEnergy = (1 - 0.38) / (1 - 0.15);

constexpr double kTableClockHz = 100e6;

// The FPGA of the ML605 board: DS150 (Virtex-6 family overview), table 1; a slice has four LUTs and
// eight flip-flops; block RAMs of 36 Kbit.
constexpr const char* kFpga = "XC6VLX240T";
constexpr double kFpgaSlices = 37680;
constexpr Area kFpgaArea = {4 * kFpgaSlices, 8 * kFpgaSlices, 416, 768};

void note(Estimates& e, const char* text) {
  e.extrapolated = true;
  e.notes.emplace_back(text);
}

const Size& size_of(uint32_t sps) {
  return *std::find_if(std::begin(kSizes), std::end(kSizes),
                       [sps](const Size& size) { return size.sps == sps; });
}

// The stack's row, between two rows of the table on the line between them.
Stack stack_of(double depth) {
  const Stack* upper = std::begin(kStacks);
  while (upper->depth < depth && upper + 1 != std::end(kStacks)) ++upper;
  if (upper->depth <= depth) return *upper;
  const Stack& lower = *(upper - 1);
  const double share = (depth - lower.depth) / (upper->depth - lower.depth);
  const auto between = [share](double a, double b) { return a + share * (b - a); };
  return {depth, between(lower.luts, upper->luts), between(lower.flip_flops, upper->flip_flops),
          between(lower.dynamic_energy, upper->dynamic_energy)};
}

bool is_row(double depth) {
  return std::any_of(std::begin(kStacks), std::end(kStacks),
                     [depth](const Stack& stack) { return stack.depth == depth; });
}

void apply_sms(Estimates& e, const Size& size, uint32_t sms) {
  const double more = sms - 1;
  const auto grow = [more](double one, double two) { return one + more * (two - one); };
  e.area = {grow(size.one_sm.luts, size.two_sms.luts),
            grow(size.one_sm.flip_flops, size.two_sms.flip_flops),
            grow(size.one_sm.block_rams, size.two_sms.block_rams),
            grow(size.one_sm.dsps, size.two_sms.dsps)};
  e.dynamic_watts = sms * size.dynamic_watts;
  e.static_watts = size.static_watts;
  if (sms > 1) note(e, "power of several SMs: that of one SM (table 3) times their number");
  if (sms > 2) note(e, "area of more than two SMs: each adds what the second did (table 6)");
}

void apply_stack(Estimates& e, const Configuration& c) {
  const Stack& baseline = *(std::end(kStacks) - 1);
  const Stack stack = stack_of(c.stack_depth);
  if (stack.depth == baseline.depth) {
    if (c.stack_depth > stack.depth)
      note(e, "a warp stack of more than 32 entries counts as one of 32");
    return;
  }
  e.area.luts -= c.sms * (baseline.luts - stack.luts);
  e.area.flip_flops -= c.sms * (baseline.flip_flops - stack.flip_flops);
  e.dynamic_watts *= stack.dynamic_energy;
  if (!is_row(c.stack_depth)) note(e, "warp stack between two rows of table 10: linear");
  if (c.sps != 8 || c.sms != 1)
    note(e,
         "a smaller warp stack saves in each SM what it does with 8 SPs (table 10), and the "
         "same share of dynamic power");
}

void apply_operands(Estimates& e, const Configuration& c) {
  if (c.multiplier && c.three_operands) return;
  if (c.multiplier || c.three_operands) {
    note(e, "table 10 removes multiplier and third operand together: one alone saves nothing");
    return;
  }
  const double eights = c.sms * c.sps / 8.0;
  e.area.luts -= eights * kTwoOperandLuts;
  e.area.flip_flops -= eights * kTwoOperandFlipFlops;
  e.area.block_rams -= c.sms * kTwoOperandBlockRams;
  e.area.dsps = c.sms * kTwoOperandDsps;
  e.dynamic_watts *= kTwoOperandEnergy;
  if (c.sps != 8 || c.sms != 1 || c.stack_depth != 2)
    note(e,
         "a device without multiplier and third operand saves per SP what table 10's did, and "
         "the same share of dynamic power");
}

// A 36 kb block RAM is 1,024 words of 32 bits and their parity, which is not used.
void apply_caches(Estimates& e, const Configuration& c) {
  const auto block_rams = [](const cache::Settings& cache) {
    constexpr uint32_t kBlockRamBytes = 4096;
    return cache.enabled ? (cache.bytes() + kBlockRamBytes - 1) / kBlockRamBytes : 0;
  };
  const uint32_t each = block_rams(c.l1) + block_rams(c.instruction_cache) +
                        block_rams(c.constant_cache) + block_rams(c.texture_cache);
  const uint32_t more = c.sms * each + block_rams(c.l2);
  if (more == 0) return;
  e.area.block_rams += more;
  note(e,
       "caches: a block RAM for each 4 KiB of data; their tags, registers and logic, and their "
       "power, are not in the thesis and not counted");
}

void compare_with_fpga(Estimates& e) {
  struct Resource {
    const char* name;
    double Area::*amount;
  };
  for (const Resource& resource :
       {Resource{"LUTs", &Area::luts}, Resource{"flip-flops", &Area::flip_flops},
        Resource{"block RAMs", &Area::block_rams}, Resource{"DSPs", &Area::dsps}})
    if (e.area.*resource.amount > kFpgaArea.*resource.amount)
      e.exceeded.push_back(fmt::format("{}: {:.0f}, the {} has {:.0f}", resource.name,
                                       e.area.*resource.amount, kFpga, kFpgaArea.*resource.amount));
}

}  // namespace

Estimates estimate(const Configuration& configuration) {
  Estimates e;
  apply_sms(e, size_of(configuration.sps), configuration.sms);
  apply_stack(e, configuration);
  apply_operands(e, configuration);
  apply_caches(e, configuration);
  compare_with_fpga(e);
  if (configuration.clock_hz != kTableClockHz) {
    e.dynamic_watts *= configuration.clock_hz / kTableClockHz;
    note(e, "dynamic power is proportional to the clock (table 3: 100 MHz)");
  }
  return e;
}

double energy_mj(const Estimates& estimates, const Configuration& configuration, uint64_t cycles) {
  return estimates.dynamic_watts * static_cast<double>(cycles) / configuration.clock_hz * 1e3;
}

}  // namespace gvp::gpgpu::flexgrip
