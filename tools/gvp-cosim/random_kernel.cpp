// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-cosim/random_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "models/gpgpu/g80/assembler.h"

namespace gvp::cosim {
namespace {

// Registers: R0 thread indices, R1 4 * (R0 & 0xff), R2 R1 + 0x4000, R3 R0 & 0xff, R4 limits, R5 to
// R11 data, R12 and R13 floats without sign, R14 and R15 counters of loops.  A1 addresses s[].
constexpr unsigned kFirstData = 5, kLastData = 11;
constexpr unsigned kRegisters = 16;

// What an instruction costs, by its operands: so many registers, ...
RuleCosts registers(unsigned count, unsigned execute, unsigned write) {
  RuleCosts costs;
  costs.read = 8 + 5 * count;
  costs.predicate = true;  // of all long instructions without immediate
  costs.execute = execute;
  costs.write = write;
  return costs;
}

RuleCosts immediate(unsigned registers_read, unsigned execute) {
  RuleCosts costs = registers(registers_read, execute, 8);
  costs.predicate = false;
  return costs;
}

RuleCosts direct(unsigned bytes, unsigned registers_read, unsigned execute, unsigned write) {
  RuleCosts costs = registers(registers_read, execute, write);
  costs.read = std::max(14 + bytes, costs.read);
  return costs;
}

RuleCosts loaded(unsigned read, unsigned bytes) {
  RuleCosts costs = registers(0, 2, 8);
  costs.read = read;
  costs.read_lane = bytes;
  return costs;
}

RuleCosts gathered_half() {
  RuleCosts costs = loaded(20, 2);
  costs.write = 10;
  return costs;
}

RuleCosts stored(unsigned registers_read, unsigned write, unsigned bytes) {
  RuleCosts costs = registers(registers_read, 2, write);
  costs.write_lane = bytes;
  return costs;
}

RuleCosts control(bool predicate) {
  RuleCosts costs;
  costs.read = 3;
  costs.predicate = predicate;
  costs.execute = 5;
  costs.write = 4;
  return costs;
}

class Generator {
 public:
  Generator(uint32_t seed, bool floats, Size size)
      : random_(seed), floats_(floats), small_(size == Size::kSmall) {}

  RandomKernel generate() {
    choose_launch();
    prologue();
    for (unsigned i = small_ ? 1 : 2 + below(4); i != 0; --i) {
      statements(2);
      if (below(3) == 0) barrier();
    }
    if (below(2) == 0) some_leave();
    statements(1);
    leave("RET");
    functions();
    finish();
    return result_;
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  unsigned data() { return kFirstData + below(kLastData - kFirstData + 1); }
  std::string predicate() { return below(4) == 0 ? " (C0.NE)" : ""; }

  void choose_launch() {
    gpgpu::flexgrip::Kernel& launch = result_.launch;
    launch.blocks_per_core = 1 + below(3);
    launch.grid_x = 1 + below(6);
    launch.block_x = below(3) == 0 ? 1 + below(100) : 32 * (1 + below(4));
    launch.grid_y = launch.block_y = launch.block_z = 1;
    launch.registers_per_thread = kRegisters;
    launch.shared_static_bytes = 1024;
    launch.parameter_count = below(5);
    launch.parameters.assign(launch.parameter_count, 0x20);
    if (!small_) return;
    launch.grid_x = 1 + launch.grid_x % 2;
    launch.block_x = 1 + launch.block_x % 64;
  }

  // ---- Instructions ----------------------------------------------------------------------------
  void add(const std::string& text, const RuleCosts& costs) {
    lines_.push_back(text);
    costs_.push_back(costs);
  }

  // Two short instructions fill a long one's place.
  void add_short(const std::string& text, RuleCosts costs) {
    costs.bytes = 4;
    costs.predicate = false;
    add(text, costs);
  }

  std::string label() { return fmt::format("L{}", labels_++); }
  void place(const std::string& label) {
    lines_.push_back(label + ':');
    costs_.push_back({});
  }

  void prologue() {
    add("LOP32I.AND R3, R0, 0xff", immediate(1, 3));
    add("SHL R1, R3, 0x2", registers(1, 3, 8));
    add("IADD32I R2, R1, 0x4000", immediate(1, 3));
    add("R2A A1, R3, 0x2", registers(1, 3, 6));
    if (floats_) {
      add("I2F.F32.S32 R12, R3", registers(1, 13, 8));
      add("I2F.F32.S32 R13, R1", registers(1, 13, 8));
    }
    compare();
  }

  // Sets C0 in some threads.
  void compare() {
    add(fmt::format("MVI R4, {:#x}", below(128)), immediate(0, 2));
    const char* relation = below(2) == 0 ? "LT" : "GE";
    if (below(4) == 0) {
      add(fmt::format("ISET.C0 R{}, R3, R4, {}", data(), relation), registers(2, 3, 11));
    } else {
      add(fmt::format("ISET.C0 o[0x7f], R3, R4, {}", relation), registers(2, 3, 9));
    }
  }

  void simple() {
    const std::string p = predicate();
    const unsigned d = data(), a = data(), b = data(), c = data();
    uint32_t kind = below(29);
    while (!floats_ && kind >= 8 && kind <= 12) kind = below(29);
    switch (kind) {
      case 0:
        return add(fmt::format("IADD R{}{}, R{}, R{}", d, p, a, b), registers(2, 3, 8));
      case 1:
        return add(fmt::format("MOV R{}{}, R{}", d, p, a), registers(1, 2, 8));
      case 2:
        return add(fmt::format("MVI R{}, {:#x}", d, below(1000)), immediate(0, 2));
      case 3:
        return add(fmt::format("IADD32I R{}, R{}, 0x11", d, a), immediate(1, 3));
      case 4:
        return add(fmt::format("SHL R{}{}, R{}, 0x3", d, p, a), registers(1, 3, 8));
      case 5:
        return add(fmt::format("LOP.XOR R{}{}, R{}, R{}", d, p, a, b), registers(2, 3, 8));
      case 6:
        return add(fmt::format("IMUL.U16.U16 R{}{}, R{}L, R{}H", d, p, a, b), registers(2, 3, 8));
      case 7:
        return add(fmt::format("IMAD.U16 R{}{}, R{}L, R{}H, R{}", d, p, a, b, c),
                   registers(3, 3, 8));
      case 8:
        return add(fmt::format("FMUL R{}{}, R12, R13", d, p), registers(2, 26, 8));
      case 9:
        return add(fmt::format("FMAD R{}{}, R12, R13, R12", d, p), registers(3, 30, 8));
      case 10:
        return add(fmt::format("FADD R{}{}, R12, R13", d, p), registers(2, 25, 8));
      case 11:
        return add(fmt::format("FADD R{}{}, R12, -R13", d, p), registers(2, 26, 8));
      case 12: {
        RuleCosts costs = registers(1, 4, 8);
        costs.execute_lanes = true;
        return add(fmt::format("RCP R{}{}, R12", d, p), costs);
      }
      case 13:
        return add(fmt::format("MOV R{}{}, g [0x1].U16", d, p), direct(2, 0, 2, 8));
      case 14:
        return add(fmt::format("IADD R{}{}, g [0x4], R{}", d, p, a), direct(4, 1, 3, 8));
      case 15:
        return add(fmt::format("MOV R{}{}, g [A1+0x8]", d, p), loaded(20, 4));
      case 16:
        return add(fmt::format("R2G.U32.U32 g[A1+0x8]{}, R{}", p, a), stored(2, 12, 4));
      case 17:
        return add(fmt::format("GLD.U32 R{}{}, global14[R1]", d, p), loaded(21, 4));
      case 18:
        return add(fmt::format("GLD.U8 R{}{}, global14[R1]", d, p), loaded(21, 1));
      case 19:
        return add(fmt::format("GLD.U16 R{}{}, global14[R1]", d, p), loaded(21, 2));
      case 20:
        return add(fmt::format("GST.U32 global14[R2]{}, R{}", p, a), stored(1, 13, 4));
      case 21:
        return add(fmt::format("GST.U8 global14[R2]{}, R{}", p, a), stored(1, 13, 1));
      case 22: {
        RuleCosts costs = registers(0, 2, 4);
        costs.read = 2;
        costs.nop = true;
        costs.predicate = false;
        return add("NOP", costs);
      }
      case 23:
        return add(fmt::format("IADD R{}{}, R{}, c[0x1][0x2]", d, p, a), direct(4, 1, 3, 8));
      case 24:
        return add(fmt::format("I2I.U32.U16 R{}{}, R{}H", d, p, a), registers(1, 3, 8));
      case 25:
        return add(fmt::format("MOV.U16 R{}L{}, R{}H", d, p, a), registers(1, 2, 10));
      case 26:
        return add(fmt::format("MOV.U16 R{}L, g [A1+0x10].U16", d), gathered_half());
      case 27:
        return call();
      default:
        add_short(fmt::format("IADD32 R{}, R{}, R{}", d, a, b), registers(2, 3, 8));
        return add_short(fmt::format("MOV32 R{}, R{}", c, a), registers(1, 2, 8));
    }
  }

  void statements(unsigned depth) {
    for (unsigned i = 1 + below(5); i != 0; --i) {
      const uint32_t kind = below(12);
      if (depth == 0 || kind > 3) {
        simple();
      } else if (kind < 2) {
        either_or(depth - 1);
      } else if (kind == 2) {
        uniform_loop(depth - 1);
      } else {
        divergent_loop(depth - 1);
      }
      if (below(8) == 0) compare();
    }
  }

  // ---- Control flow ----------------------------------------------------------------------------
  void set_sync(const std::string& join) {
    RuleCosts costs = control(true);  // encoded as "never": its predicate is read
    costs.push = true;
    add("SSY " + join, costs);
  }

  void branch(const std::string& condition, const std::string& target) {
    RuleCosts costs = control(!condition.empty());
    costs.branch = true;
    add("BRA " + (condition.empty() ? "" : condition + ", ") + target, costs);
  }

  void join() {
    RuleCosts costs = registers(0, 2, 4);
    std::string text = "NOP.S";
    if (below(2) == 0) {
      costs = registers(2, 3, 8);
      text = fmt::format("IADD.S R{}, R{}, R{}", data(), data(), data());
    }
    costs.join = true;
    add(text, costs);
  }

  void either_or(unsigned depth) {
    const std::string other = label(), end = label();
    compare();
    set_sync(end);
    branch("C0.NE", other);
    statements(depth);
    branch("", end);
    place(other);
    statements(depth);
    place(end);
    join();
  }

  // R14 in the outer loop, R15 in the inner one.
  unsigned counter(unsigned depth) { return 14 + depth % 2; }

  void count_down(unsigned depth, const std::string& top) {
    add(fmt::format("IADD32I R{0}, R{0}, -0x1", counter(depth)), immediate(1, 3));
    add(fmt::format("ISET.S32.C0 o[0x7f], R{}, R124, GT", counter(depth)), [] {
      RuleCosts c = registers(2, 3, 9);
      c.read -= 1;
      return c;
    }());
    branch("C0.NE", top);
  }

  void uniform_loop(unsigned depth) {
    const std::string top = label();
    add(fmt::format("MVI R{}, {:#x}", counter(depth), 1 + below(3)), immediate(0, 2));
    place(top);
    statements(depth);
    count_down(depth, top);
  }

  void divergent_loop(unsigned depth) {
    const std::string top = label(), end = label();
    add(fmt::format("LOP32I.AND R{}, R3, 0x3", counter(depth)), immediate(1, 3));
    set_sync(end);
    place(top);
    for (unsigned i = 1 + below(3); i != 0; --i) simple();
    count_down(depth, top);
    place(end);
    join();
  }

  void call() {
    if (in_function_) return;
    if (functions_.empty() || below(3) == 0) functions_.push_back(label());
    RuleCosts costs = control(true);  // as SSY
    costs.push = true;
    add("CAL.NOINC " + functions_[below(static_cast<uint32_t>(functions_.size()))], costs);
  }

  void functions() {
    in_function_ = true;
    for (const std::string& function : functions_) {
      place(function);
      for (unsigned i = 1 + below(3); i != 0; --i) simple();
      leave("RET");
    }
  }

  void barrier() {
    RuleCosts costs = control(true);  // encoded as "never", too
    costs.write = 9;
    costs.barrier = true;
    add("BAR.ARV.WAIT b0, 0xfff", costs);
  }

  void leave(const std::string& text) {
    RuleCosts costs = control(text != "RET");
    costs.leave = true;
    add(text, costs);
  }

  void some_leave() {
    compare();
    leave("RET C0.NE");
  }

  void finish() {
    std::string source = fmt::format(".kernel random\n.regs {}\n", kRegisters);
    for (const std::string& line : lines_) source += line + (line.back() == ':' ? "\n" : ";\n");
    const gpgpu::g80::Module module = gpgpu::g80::assemble(source, "random kernel");
    result_.code = module.kernels.at(0).code;
    result_.source = source;
    result_.lines = lines_;
    uint32_t address = 0;
    for (size_t i = 0; i < lines_.size(); ++i) {
      if (lines_[i].back() == ':') continue;
      result_.costs[address] = costs_[i];
      address += costs_[i].bytes;
    }
  }

  std::mt19937 random_;
  const bool floats_, small_;
  RandomKernel result_;
  std::vector<std::string> lines_;
  std::vector<RuleCosts> costs_;
  unsigned labels_ = 0;
  std::vector<std::string> functions_;
  bool in_function_ = false;
};

}  // namespace

RandomKernel random_kernel(uint32_t seed, bool floats, Size size) {
  return Generator(seed, floats, size).generate();
}

}  // namespace gvp::cosim
