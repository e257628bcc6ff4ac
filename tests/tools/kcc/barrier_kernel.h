// SPDX-License-Identifier: Apache-2.0
// Random kernels in CUDA C whose warps talk to each other through shared memory, between
// barriers, and a reference for them that interleaves the warps at random.  A kernel has no race:
// between two barriers each word is written by one thread and read by none, or only read, or
// written by several threads with the same value.  So every interleaving gives the same result,
// which is what the reference makes sure of.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gvp::kcc {

class BarrierKernel {
 public:
  static constexpr uint32_t kArrays = 3;
  static constexpr uint32_t kFlags = 2;
  static constexpr uint32_t kVariables = 4;

  explicit BarrierKernel(unsigned seed);

  uint32_t threads() const { return threads_; }
  // extern "C" __global__ void k(const unsigned* in, unsigned* out, int rounds): reads and writes
  // kVariables words a thread.
  std::string text() const;
  uint32_t rounds() const { return rounds_; }
  // What it leaves in `out`, the warps taking turns in an order that `order` draws.
  std::vector<uint32_t> results(const std::vector<uint32_t>& in, std::mt19937& order) const;

 private:
  enum class Kind : uint8_t {
    kBarrier,
    kFence,      // changes nothing
    kCompute,    // variable = variable * constant + other
    kWrite,      // array[own place] = variable
    kRead,       // variable ^= array[another's place]
    kReadElse,   // one array or another, by a bit of the variable
    kClearFlag,  // flag = 0, by all threads
    kRaiseFlag,  // if (variable & constant) flag = value
    kReadFlag,   // variable += flag
  };
  struct Statement {
    Kind kind;
    uint32_t variable, other, array, second_array;
    uint32_t factor, offset;  // of the place: (thread * factor + offset) % threads
    uint32_t constant;
  };
  // What is allowed until the next barrier.
  struct Word {
    bool read = false;
    bool written = false;
  };
  struct Warp;

  void generate();
  void add(Statement statement);
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool fits(const Statement& statement) const;
  void note(const Statement& statement);
  std::string text_of(const Statement& statement) const;
  uint32_t place(const Statement& statement, uint32_t thread) const {
    return (thread * statement.factor + statement.offset) % threads_;
  }
  void execute(const Statement& statement, uint32_t thread, std::vector<uint32_t>& variables,
               std::vector<uint32_t>& shared) const;
  // The statements one after the other, the loop as often as it runs.
  std::vector<Statement> unrolled() const;

  std::mt19937 random_;
  uint32_t threads_;
  uint32_t rounds_;
  std::vector<Statement> before_;
  std::vector<Statement> loop_;  // `rounds` times
  std::vector<Statement> after_;
  std::vector<Statement>* part_ = nullptr;
  std::vector<Word> state_;  // arrays, then flags
};

}  // namespace gvp::kcc
