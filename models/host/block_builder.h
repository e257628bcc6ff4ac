// SPDX-License-Identifier: Apache-2.0
// Translates instruction words into a Block.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "models/host/block.h"
#include "models/host/state.h"

namespace gvp::host {

// What to build, apart from the words.
struct BlockRequest {
  uint32_t pc = 0;
  uint32_t physical = 0;
  bool virtual_mode = false;       // link only within the region
  uint32_t bytes = 0;              // from pc on that may belong to the block
  uint8_t mode = 0;                // of address translation
  bool count_executions = false;   // begin with the operation "heat"
  bool one_unit = false;           // one instruction with its imm, its branch and its delay slot
  bool ignore_breakpoint = false;  // at pc, to leave a breakpoint
  uint32_t fetch_cycles = 0;       // from the request for a word to its arrival
  // Through the instruction cache: the block ends with its line, but for the delay slot of a branch
  // and the instruction of an imm that stand there last.
  bool cached = false;
  uint32_t line_words = kRegionBytes / 4;  // from pc to the end of the line
  // State left over from an imm or a branch at the end of the region before.
  std::optional<uint16_t> pending_imm;
  bool pending_slot = false;
  uint32_t branch_word = 0;  // the branch that the pending slot belongs to
  uint32_t branch_pc = 0;
  bool branch_has_imm = false;
};

class BlockBuilder {
 public:
  // Reads the word at an offset (in words) from the block's start; false: it cannot be fetched.
  using Fetch = std::function<bool(uint32_t offset, uint32_t& word)>;
  using IsBreakpoint = std::function<bool(uint32_t pc)>;

  // handlers: the interpreter's code for each MicroOp.
  BlockBuilder(const Configuration& configuration, const Code* handlers)
      : configuration_(configuration), handlers_(handlers) {}

  // Returns null if the first word cannot be fetched.
  std::unique_ptr<Block> build(const BlockRequest& request, const Fetch& fetch,
                               const IsBreakpoint& is_breakpoint);

 private:
  // The instruction at hand.
  struct Unit {
    Instruction instruction;
    uint32_t pc = 0;
    uint32_t word = 0;   // offset
    uint32_t words = 1;  // with its imm prefixes
    uint32_t imm = 0;    // with prefix or sign-extended
    bool has_imm = false;
    bool in_slot = false;
  };

  enum class Read : uint8_t { kUnit, kLoneImm, kNothing };
  Read read_unit(uint32_t offset, std::optional<uint16_t> prefix, Unit& unit) const;
  bool add_unit(const Unit& unit);  // false: the block ends here
  void add_lone_imm();
  void add_illegal(const Unit& unit);
  void emit_slot_end(const Unit& slot);
  void join_pairs();
  void add_simple(const Unit& unit);
  void add_branch(const Unit& unit);
  void add_slot_and_end(const Unit& branch, const Unit& slot);
  void add_end(const Unit& branch);
  void add_no_slot_branch(const Unit& branch);
  Op& emit(MicroOp op, const Unit& unit);
  void emit_link(const Unit& branch);
  void count(const Unit& unit, uint32_t cycles);
  uint32_t arrival(uint32_t word) const;
  uint32_t fetched(const Unit& unit) const;
  void finish(const Unit* branch, uint32_t words);
  uint32_t latency(const Instruction& instruction) const;
  void start(const BlockRequest& request);

  const Configuration& configuration_;
  const Code* handlers_;

  // While building:
  const BlockRequest* request_ = nullptr;
  const Fetch* fetch_ = nullptr;
  const IsBreakpoint* is_breakpoint_ = nullptr;
  Block* block_ = nullptr;
  uint32_t instructions_ = 0;
  Elapsed elapsed_;
};

// Where a branch goes: its target, or the instruction after its delay slot when it is not taken.
uint32_t evaluate_branch(const State& state, const Instruction& branch, uint32_t pc, uint32_t imm);

}  // namespace gvp::host
