// SPDX-License-Identifier: Apache-2.0
// Speed of the loosely timed GPGPU: instructions of one kernel executed by g80::run(), the loop
// that every loosely timed kernel runs in.  "thread_instructions" is per second of CPU time.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/semantics.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr unsigned kWarps = 8;
constexpr unsigned kRegisters = 16;
constexpr uint32_t kSharedBytes = 4096;
constexpr uint32_t kGlobalBytes = 1 << 20;

// Warps of one block that take turns, as the device lets them.
class Block {
 public:
  explicit Block(const std::string& source)
      : global_(kGlobalBytes),
        shared_(kSharedBytes),
        constants_(1024),
        rows_(size_t{kWarps} * row_count(kRegisters)),
        warps_(kWarps) {
    machine_.global.data = global_.data();
    machine_.global.bytes = kGlobalBytes;
    machine_.constants = constants_.data();
    machine_.constant_bytes = 1024;
    for (auto& bank : machine_.banks) bank = {0, 1024};
    const Module module = assemble(source, "benchmark");
    const std::vector<uint32_t>& code = module.kernels.at(0).code;
    program_ = std::make_unique<Program>(code.data(), code.size(), kRegisters, machine_);
    by_op_.resize(program_->ops().size());
    for (unsigned w = 0; w < kWarps; ++w) {
      Warp& warp = warps_[w];
      warp.rows = &rows_[size_t{w} * row_count(kRegisters)];
      warp.shared = shared_.data();
      warp.shared_bytes = kSharedBytes;
      warp.flow.configure(32);
      warp.start(simt::kAllLanes, kRegisters);
      for (unsigned lane = 0; lane < simt::kWarpSize; ++lane)
        warp.register_row(0)[lane] =
            (w * simt::kWarpSize + lane) % 16 | (w * simt::kWarpSize + lane) / 16 << 16;
    }
  }

  // The programs loop forever, so every turn is full.
  void run(uint64_t instructions_per_turn, RunCounters& counters) {
    for (Warp& warp : warps_) {
      const Stop stop =
          g80::run(machine_, *program_, warp, instructions_per_turn, counters, by_op_.data());
      if (stop != Stop::kNone && stop != Stop::kBarrier) std::abort();
    }
  }

 private:
  std::vector<uint8_t> global_;
  std::vector<uint8_t> shared_;
  std::vector<uint8_t> constants_;
  std::vector<simt::Lanes> rows_;
  std::vector<Warp> warps_;
  Machine machine_;
  std::unique_ptr<Program> program_;
  std::vector<OpCounts> by_op_;
};

constexpr const char* kSetUp = R"(
      I2I.U32.U16 R1, R0L;       // tid.x
      I2I.U32.U16 R2, R0H;       // tid.y
      SHL R3, R2, 0x6;
      R2A A1, R3, 0x0;           // row of tile a
      SHL R4, R1, 0x6;
      R2A A2, R4, 0x0;           // row of tile b, transposed
      MVI R5, 0x0;
      MVI R7, 0x0;
      MVI R9, 0x0;
      SHL R10, R0, 0x2;
      MVI R11, 0xffff;
      LOP.AND R10, R10, R11;
)";

// The inner loop of firmware/kernels/matrix_multiply.s: three multiply-adds of 16 bits a product.
std::string tiled_multiply() {
  std::string loop = "loop:\n";
  for (unsigned k = 0; k < 16; ++k) {
    const std::string a = std::to_string(4 * k);
    const std::string a_high = std::to_string(4 * k + 2);
    loop += " MOV R6, s[A2+" + a + "];\n";
    loop += " IMAD.U16 R5, s[A1+" + a + "].U16, R6L, R5;\n";
    loop += " IMAD.U16 R7, s[A1+" + a + "].U16, R6H, R7;\n";
    loop += " IMAD.U16 R7, s[A1+" + a_high + "].U16, R6L, R7;\n";
  }
  return kSetUp + loop + " ISET.S32.C0 o[0x7f], R9, R124, EQ;\n BRA C0.NE, loop;\n RET;\n";
}

// The same product from 24-bit multiply-adds, as compilers make it for small numbers.
std::string multiply_24() {
  std::string loop = "loop:\n";
  for (unsigned k = 0; k < 16; ++k) {
    const std::string a = std::to_string(4 * k);
    loop += " MOV R6, s[A2+" + a + "];\n IMAD.U24 R5, s[A1+" + a + "], R6, R5;\n";
  }
  return kSetUp + loop + " ISET.S32.C0 o[0x7f], R9, R124, EQ;\n BRA C0.NE, loop;\n RET;\n";
}

// Registers only.
std::string arithmetic() {
  return std::string(kSetUp) + R"(
loop: IADD R5, R5, R1;
      IMAD.U24 R6, R5, R2, R7;
      LOP.XOR R7, R6, R5;
      SHL R8, R7, 0x3;
      IADD R5, R5, R8;
      IADD32I R9, R9, 0x1;
      ISET.U32.C0 o[0x7f], R9, R124, NE;
      BRA C0.NE, loop;
      RET;
)";
}

std::string floating_point() {
  return std::string(kSetUp) + R"(
      I2F.F32.S32 R5, R1;
      MVI R6, 0x3f000000;
loop: FMAD R7, R5, R6, R5;
      FMUL R8, R7, R6;
      FADD R5, R8, R6;
      FMAD R5, R5, R6, R7;
      FMUL R5, R5, R6;
      IADD32I R9, R9, 0x1;
      ISET.U32.C0 o[0x7f], R9, R124, NE;
      BRA C0.NE, loop;
      RET;
)";
}

std::string global_copy() {
  return std::string(kSetUp) + R"(
loop: GLD.U32 R5, global14[R10];
      IADD R5, R5, R1;
      GST.U32 global14[R10], R5;
      IADD32I R9, R9, 0x1;
      ISET.U32.C0 o[0x7f], R9, R124, NE;
      BRA C0.NE, loop;
      RET;
)";
}

// Both sides of an if in every round.
std::string divergent() {
  return std::string(kSetUp) + R"(
      MVI R11, 0x8;
      ISET.S32.C1 o[0x7f], R1, R11, LT;
loop: SSY join;
      BRA C1.NE, then;
      IADD R5, R5, R1;
      IADD R6, R6, R5;
      BRA join;
then: IADD R7, R7, R1;
      IADD R8, R8, R7;
join: NOP.S;
      IADD32I R9, R9, 0x1;
      ISET.U32.C0 o[0x7f], R9, R124, NE;
      BRA C0.NE, loop;
      RET;
)";
}

void measure(benchmark::State& state, const std::string& source) {
  Block block(source);
  RunCounters counters;
  for (auto _ : state) block.run(512, counters);
  state.counters["thread_instructions"] = benchmark::Counter(
      static_cast<double>(counters.thread_instructions), benchmark::Counter::kIsRate);
  state.counters["warp_instructions"] = benchmark::Counter(
      static_cast<double>(counters.warp_instructions), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(measure, matrix_multiply_inner_loop, tiled_multiply());
BENCHMARK_CAPTURE(measure, multiply_add_24, multiply_24());
BENCHMARK_CAPTURE(measure, arithmetic, arithmetic());
BENCHMARK_CAPTURE(measure, floating_point, floating_point());
BENCHMARK_CAPTURE(measure, global_copy, global_copy());
BENCHMARK_CAPTURE(measure, divergent_if, divergent());

}  // namespace
}  // namespace gvp::gpgpu::g80

BENCHMARK_MAIN();
