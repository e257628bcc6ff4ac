// SPDX-License-Identifier: Apache-2.0
// Construction, the dispatcher around the interpreter, and how blocks are found and built.
#include "models/host/engine.h"

#include <fmt/format.h>

#include <cstring>

#include "models/base/error.h"
#include "models/host/jit/translator.h"

namespace gvp::host {
namespace {

uint32_t read_word(const uint8_t* data, bool big_endian) {
  uint32_t word;
  std::memcpy(&word, data, sizeof word);
  return big_endian ? __builtin_bswap32(word) : word;
}

}  // namespace

Engine::Engine(const Configuration& configuration, Bus& bus)
    : configuration_(configuration),
      mmu_(configuration.mmu_zones),
      blocks_(handlers()[static_cast<size_t>(MicroOp::dead)]),
      memory_(configuration_, bus, blocks_, mmu_),
      builder_(configuration_, handlers()) {
  if (configuration.engine == "jit") {
    translator_ = std::make_unique<Translator>(*this);
    blocks_.set_kill_handler([this](Block& block) { translator_->forget(block); });
  } else if (configuration.engine != "interpreter") {
    throw bad_input("there is no host.engine \"" + configuration.engine + "\"", {},
                    "choose \"interpreter\" or \"jit\"");
  }
  reset();
}

Engine::~Engine() = default;

void Engine::reset() {
  state_ = State{};
  state_.pc = configuration_.base_vectors + vector::kReset;
  state_.msr = configuration_.reset_msr & (msr::kIe | msr::kIce | msr::kDce | msr::kEe);
  if (configuration_.pvr > 0) state_.msr |= msr::kPvr;
  mmu_.reset();
  memory_.caches().reset();
  blocks_.invalidate_all();
  failed_ = false;
  error_.clear();
  state_changed();
}

void Engine::state_changed() {
  state_.r[0] = 0;
  memory_.set_mode(state_.msr);
  memory_.forget_pages();
  forget_jumps();
  resumed_at_ = 1;
  fetched_ahead_ = 0;
}

bool Engine::interrupt_enabled() const {
  return (state_.msr & (msr::kIe | msr::kBip | msr::kEip)) == msr::kIe;
}

// UG984 "Interrupt".
bool Engine::take_interrupt() {
  if (!interrupt_ || !interrupt_enabled() || state_.between_parts()) return false;
  fetched_ahead_ = 0;
  state_.r[14] = state_.pc;
  state_.pc = configuration_.base_vectors + vector::kInterrupt;
  const uint32_t saved = (state_.msr & (msr::kUm | msr::kVm)) << 1;
  change_msr((state_.msr & ~(msr::kIe | msr::kUm | msr::kVm | msr::kUms | msr::kVms)) | saved);
  state_.reservation = false;
  ++interrupts_;
  return true;
}

Engine::Run Engine::run(uint32_t cycle_limit) {
  count_ = 0;
  stalled_ = false;
  memory_.share_lanes(lanes_);
  end_ = cycle_limit;
  Exit exit = failed_ ? Exit::kError : Exit::kContinue;
  take_interrupt();
  while (exit == Exit::kContinue) {
    limit_ = end_;
    if (blocks_.collect()) forget_jumps();
    const bool leaving_breakpoint = resumed_at_ == state_.pc;
    resumed_at_ = 1;
    if (at_slot_breakpoint() && !leaving_breakpoint) {
      exit = Exit::kBreakpoint;
      break;
    }
    if (state_.between_parts() || leaving_breakpoint) {
      limit_ = 0;
      exit = run_unit();
    } else if (Block* block = block_at(state_.pc)) {
      exit = execute(block);
    }
    if (failed_) exit = Exit::kError;
    if (exit == Exit::kContinue && memory_.take_watch_hit(hit_, hit_address_))
      exit = Exit::kWatchpoint;
    if (exit != Exit::kContinue || state_.between_parts()) continue;
    if (cycles_of(count_) >= end_) exit = Exit::kLimit;
    if (interrupt_ && interrupt_enabled()) exit = Exit::kInterruptible;
  }
  if (exit == Exit::kBreakpoint) resumed_at_ = state_.pc;
  return ended(exit);
}

Engine::Run Engine::step() {
  count_ = 0;
  stalled_ = false;
  memory_.share_lanes(lanes_);
  Exit exit = failed_ ? Exit::kError : Exit::kContinue;
  if (!failed_ && !take_interrupt()) {
    do {
      limit_ = 0;
      exit = run_unit();
    } while (exit == Exit::kContinue && state_.between_parts() && !at_slot_breakpoint());
  }
  resumed_at_ = 1;
  if (failed_) exit = Exit::kError;
  if (exit == Exit::kContinue && memory_.take_watch_hit(hit_, hit_address_))
    exit = Exit::kWatchpoint;
  if (exit == Exit::kContinue) exit = Exit::kLimit;
  return ended(exit);
}

// Blocks end before a delay slot with a breakpoint.
bool Engine::at_slot_breakpoint() const {
  return state_.in_delay_slot && breakpoints_.count(state_.pc) != 0;
}

Engine::Exit Engine::run_unit() {
  Block* block = one_unit();
  if (block == nullptr) return Exit::kContinue;
  state_.imm_valid = false;
  state_.in_delay_slot = false;
  const bool straight = block->branch.info == nullptr;
  const Exit exit = execute(block);
  // After an exception fetching begins anew.
  if (straight && state_.pc == block->next_pc) leave_stream(*block, block->words);
  return exit;
}

bool Engine::fetch_region(uint32_t pc, MemoryPath::FetchRegion& region) {
  Fault fault;
  return memory_.fetch_region(pc, region, fault) || fetch_fault(fault);
}

Block* Engine::one_unit() {
  MemoryPath::FetchRegion region;
  if (!fetch_region(state_.pc, region)) return nullptr;
  BlockRequest request;
  request.pc = state_.pc;
  request.physical = region.physical;
  request.bytes = region.bytes;
  request.one_unit = true;
  request.ignore_breakpoint = true;
  request.fetch_cycles = region.cycles;
  request.cached = region.cached;
  if (state_.imm_valid) request.pending_imm = state_.imm;
  request.pending_slot = state_.in_delay_slot;
  request.branch_word = state_.branch_word;
  request.branch_pc = state_.branch_pc;
  request.branch_has_imm = state_.branch_has_imm;
  return build_once(request, region);
}

Block* Engine::next_block(uint32_t pc) {
  const JumpEntry& entry = jumps_[pc / 4 % kJumpEntries];
  if (entry.pc == pc && entry.block->alive) return entry.block;
  return block_at(pc);
}

Block* Engine::block_at(uint32_t pc) {
  MemoryPath::FetchRegion region;
  if (!fetch_region(pc, region)) return nullptr;
  if (region.data == nullptr && !region.cached) {
    BlockRequest request;
    request.pc = pc;
    request.physical = region.physical;
    request.bytes = region.bytes;
    request.one_unit = true;
    return build_once(request, region);
  }
  Block* block = blocks_.find(pc, region.physical, static_cast<uint8_t>(memory_.mode()));
  if (block != nullptr && block->cached != region.cached) {  // the page's TLBLO.I has changed
    blocks_.invalidate(region.physical, region.physical + 3);
    block = nullptr;
  }
  if (block == nullptr) block = build_kept(pc, region);
  if (block != nullptr) jumps_[pc / 4 % kJumpEntries] = {pc, block};
  return block;
}

Block* Engine::build_kept(uint32_t pc, const MemoryPath::FetchRegion& region) {
  BlockRequest request;
  request.pc = pc;
  request.physical = region.physical;
  request.bytes = region.bytes;
  request.mode = static_cast<uint8_t>(memory_.mode());
  request.virtual_mode = request.mode != 0;
  request.count_executions = translator_ != nullptr && !region.cached;
  request.fetch_cycles = region.cycles;
  request.cached = region.cached;
  uint64_t cycles = cycles_of(count_);
  const uint64_t before = cycles;
  uint32_t readable_words = kRegionBytes / 4;
  if (region.cached) {
    CacheController& caches = memory_.caches();
    request.line_words = caches.words_to_line_end(region.physical);
    readable_words = request.line_words + caches.words_beyond_line();
  }
  const auto fetch = [&](uint32_t offset, uint32_t& word) {
    if (region.cached) {
      if (offset >= readable_words) return false;
      word = memory_.caches().fetch(region.physical + offset * 4, cycles);
      if (configuration_.big_endian) word = __builtin_bswap32(word);
      return true;
    }
    word = read_word(region.data + offset * size_t{4}, configuration_.big_endian);
    return true;
  };
  const auto is_breakpoint = [&](uint32_t address) { return breakpoints_.count(address) != 0; };
  Block* block = blocks_.insert(builder_.build(request, fetch, is_breakpoint));
  note_source(*block, region.source);
  count_ += cycles - before;
  if (blocks_.crowded()) limit_ = 0;  // misses replace blocks: let the dispatcher collect
  if (translator_) translator_->adopt(*block);
  memory_.update_code_lines(block->physical);
  if (BlockCache::crosses_page(*block)) memory_.update_code_lines(BlockCache::last_byte(*block));
  return block;
}

// Where this unit may be remembered, or was; null for one that depends on more than its words.
Engine::KnownUnit* Engine::known_unit(const BlockRequest& request,
                                      const MemoryPath::FetchRegion& region) {
  if (region.data != nullptr || request.pending_imm || request.pending_slot ||
      !breakpoints_.empty())
    return nullptr;
  if (known_units_.empty()) known_units_.resize(kKnownUnits);
  return &known_units_[request.pc / 4 % kKnownUnits];
}

// A block that is executed once: when stepping, and where memory cannot be accessed directly,
// because then nobody would tell us that the code has changed.  All of its words are fetched each
// time; decoding them is spared where they are those of the last time.
Block* Engine::build_once(const BlockRequest& request, const MemoryPath::FetchRegion& region) {
  Fault fault;
  uint64_t cycles = cycles_of(count_);
  const uint64_t before = cycles;
  // Each word is read once, however often the builder looks at it.
  std::array<std::pair<uint32_t, uint32_t>, 4> seen{};
  size_t seen_count = 0;
  const auto fetch = [&](uint32_t offset, uint32_t& word) {
    if (region.data != nullptr) {
      word = read_word(region.data + offset * size_t{4}, configuration_.big_endian);
      return true;
    }
    for (size_t i = 0; i < seen_count; ++i) {
      if (seen[i].first != offset) continue;
      word = seen[i].second;
      return true;
    }
    if (!memory_.fetch_word(region, request.physical + offset * 4, word, cycles, fault))
      return false;
    if (configuration_.big_endian) word = __builtin_bswap32(word);
    if (seen_count < seen.size()) seen[seen_count++] = {offset, word};
    if (observer_ != nullptr) observer_->fetched(request.pc + offset * 4, word);
    return true;
  };
  KnownUnit* known = known_unit(request, region);
  if (known != nullptr && known->pc == request.pc && known->block->cached == request.cached) {
    uint32_t i = 0;
    for (uint32_t word = 0; i < known->count; ++i)
      if (!fetch(i, word) || word != known->words[i]) break;
    if (i == known->count) {
      count_ += cycles - before;
      return known->block.get();
    }
  }
  const auto is_breakpoint = [&](uint32_t address) { return breakpoints_.count(address) != 0; };
  auto block = builder_.build(request, fetch, is_breakpoint);
  count_ += cycles - before;
  if (block == nullptr) {
    fault.address = request.pc;
    fetch_fault(fault);
    return nullptr;
  }
  note_source(*block, region.source);
  if (known == nullptr || seen_count == seen.size()) return blocks_.hold(std::move(block));
  if (known->block != nullptr) blocks_.hold(std::move(known->block));  // it may be executing
  known->pc = request.pc;
  known->count = static_cast<uint32_t>(seen_count);
  for (size_t i = 0; i < seen_count; ++i) known->words[i] = seen[i].second;
  known->block = std::move(block);
  return known->block.get();
}

void Engine::set_breakpoint(uint32_t pc) {
  breakpoints_.insert(pc);
  blocks_.invalidate_all();
  forget_jumps();
}

void Engine::clear_breakpoint(uint32_t pc) {
  breakpoints_.erase(pc);
  blocks_.invalidate_all();
  forget_jumps();
}

void Engine::invalidate_code(uint32_t first, uint32_t last) {
  if (!blocks_.invalidate(first, last)) return;
  memory_.forget_pages();  // their bits for lines with code
  limit_ = 0;
}

void Engine::invalidate_direct(uint32_t first, uint32_t last) {
  blocks_.invalidate(first, last);
  memory_.forget_pages();
  limit_ = 0;
}

Engine::DirectUse Engine::take_direct() {
  DirectUse use;
  use.data = memory_.take_direct(lanes_);
  use.fetched.assign(fetched_.begin(), fetched_.end());
  fetched_.fill(0);
  return use;
}

std::vector<uint32_t> Engine::recent_blocks() const {
  std::vector<uint32_t> result;
  const uint32_t n = std::min<uint32_t>(recent_count_, kRecent);
  for (uint32_t i = recent_count_ - n; i != recent_count_; ++i)
    result.push_back(recent_[i % kRecent]);
  return result;
}

std::string Engine::describe(uint32_t pc) const {
  const std::string symbol = symbolizer_ ? symbolizer_(pc) : "";
  return symbol.empty() ? fmt::format("{:#010x}", pc) : fmt::format("{:#010x} <{}>", pc, symbol);
}

}  // namespace gvp::host
