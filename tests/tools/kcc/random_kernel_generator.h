// SPDX-License-Identifier: Apache-2.0
// The generator behind random_kernel.h: its state, and what all its statements need.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <random>
#include <string>
#include <utility>

#include "tests/tools/kcc/random_kernel.h"

namespace gvp::kcc {

inline constexpr unsigned kIntegers = 8;    // %r0...: what expressions use
inline constexpr unsigned kFloats = 4;      // %f0...
inline constexpr unsigned kHalves = 3;      // %h0...: 16 bits
inline constexpr unsigned kPredicates = 6;  // %p0...
inline constexpr unsigned kFresh = 1000;    // %v0...: at most
inline constexpr uint32_t kInputWords = 4;  // per thread
inline constexpr uint32_t kOutputWords = kIntegers + kFloats;
inline constexpr uint32_t kTableWords = 16;  // in constant memory

class RandomKernelGenerator {
 public:
  explicit RandomKernelGenerator(uint32_t seed) : random_(seed) {}

  RandomKernel run();

 private:
  uint32_t pick(uint32_t below) { return static_cast<uint32_t>(random_() % below); }

  uint32_t interesting() {
    switch (pick(6)) {
      case 0:
        return pick(16);
      case 1:
        return 0U - pick(16);
      case 2:
        return 0x3f800000U + (pick(0x2000) << 12);  // floats around one
      case 3:
        return 0x80000000U >> pick(3);
      case 4:
        return 1U << pick(32);
      default:
        return static_cast<uint32_t>(random_());
    }
  }

  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += "  " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  std::string r() { return fmt::format("%r{}", pick(kIntegers)); }
  std::string f() { return fmt::format("%f{}", pick(kFloats)); }
  std::string h() { return fmt::format("%h{}", pick(kHalves)); }
  std::string p() { return fmt::format("%p{}", pick(kPredicates)); }
  std::string constant() { return fmt::format("{}", static_cast<int32_t>(interesting())); }
  std::string source() { return pick(3) == 0 ? constant() : r(); }
  std::string float_source() {
    return pick(4) == 0 ? fmt::format("0f{:08X}", 0x3f000000U + (pick(0x400) << 14)) : f();
  }
  std::string half_source() { return pick(3) == 0 ? fmt::format("{}", pick(200)) : h(); }
  const char* choose(std::initializer_list<const char*> list) {
    return *(list.begin() + pick(static_cast<uint32_t>(list.size())));
  }
  std::string guard() {
    return pick(8) == 0 ? fmt::format("@{}{} ", pick(2) == 0 ? "!" : "", p()) : "";
  }
  std::string fresh() { return fmt::format("%v{}", fresh_++); }  // used by one statement only
  std::string label() { return fmt::format("L{}", labels_++); }

  // The kernel around the statements (random_kernel.cpp)
  void begin();
  void end();
  void canonical(unsigned number);
  void statement(unsigned depth, bool top);
  void statements(unsigned depth);
  void conditional(unsigned depth);
  void loop(unsigned depth);
  void halving_loop(unsigned depth);
  void shared_arm(unsigned depth);
  void call();
  void early_exit();
  void exchange();

  // Operations without control flow (random_operations.cpp)
  void integer();
  void bits();
  void real();
  void half();
  void halving();
  void predicate();
  void conversion();
  void memory();

  std::mt19937 random_;
  std::string text_;
  unsigned labels_ = 0;
  unsigned fresh_ = 0;
  uint32_t threads_ = 0;
  bool barriers_ = false;
};

}  // namespace gvp::kcc
