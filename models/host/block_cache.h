// SPDX-License-Identifier: Apache-2.0
// All decoded blocks, and which lines of memory they were decoded from, so that a store into code
// finds what it makes stale.  A block that became stale is not freed at once, because the
// interpreter or a link from another block may still point at it: its first operation becomes
// "dead", which makes the interpreter look the address up again.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/host/block.h"

namespace gvp::host {

class BlockCache {
 public:
  static constexpr uint32_t kPageBytes = 4096;
  static constexpr uint32_t kLineBytes = 64;  // a page's lines fit one word

  explicit BlockCache(Code dead_handler) : dead_handler_(dead_handler) {}
  // Called for each block that is killed.
  void set_kill_handler(std::function<void(Block&)> handler) { on_kill_ = std::move(handler); }

  Block* find(uint32_t pc, uint32_t physical, uint8_t mode) const;
  Block* insert(std::unique_ptr<Block> block);
  // Keeps the block only until the call after the next.
  Block* hold(std::unique_ptr<Block> block);
  // One bit for each line of the page that holds code.
  uint64_t code_lines(uint32_t physical) const {
    return has_code_[sieve(physical / kPageBytes)] ? code_lines_of(physical / kPageBytes) : 0;
  }
  // Kills the blocks that use bytes first..last; true if there were any.
  bool invalidate(uint32_t first, uint32_t last);
  void invalidate_all();
  // Many blocks are dead: time to collect().
  bool crowded() const { return dead_ >= kDeadBeforeCollection; }
  // Frees dead blocks when there are many; to be called when no block is in use.  True: pointers to
  // blocks are to be forgotten.
  bool collect();
  size_t size() const { return blocks_.size(); }

  // Physical address of the last byte that a block was decoded from.
  static uint32_t last_byte(const Block& block) {
    return block.physical + (block.words == 0 ? 4 : block.words * 4) - 1;
  }
  static bool crosses_page(const Block& block) {
    return (block.physical ^ last_byte(block)) >= kPageBytes;
  }

 private:
  struct Page {
    uint64_t lines = 0;
    std::vector<Block*> blocks;
  };
  static constexpr size_t kDeadBeforeCollection = 4096;
  static constexpr size_t kSieve = 4096;
  // Code that several modes execute is decoded for each: links and translated code depend on the
  // mode.  Addresses are multiples of 4, so there is room for it.
  static uint64_t key(uint32_t pc, uint32_t physical, uint8_t mode) {
    return uint64_t{pc} << 32 | physical | mode;
  }
  void kill(Block& block);
  bool invalidate_lines(uint32_t number, Page& page, uint64_t mask);
  void add_to_page(uint32_t number, Block& block);
  uint64_t code_lines_of(uint32_t page) const;
  static size_t sieve(uint32_t page) { return page % kSieve; }

  Code dead_handler_;
  std::function<void(Block&)> on_kill_;
  std::unordered_map<uint64_t, Block*> blocks_;
  std::unordered_map<uint32_t, Page> pages_;
  std::bitset<kSieve> has_code_;  // false: no page of this remainder is in pages_
  std::vector<std::unique_ptr<Block>> storage_;
  std::unique_ptr<Block> held_;
  std::unique_ptr<Block> previously_held_;
  size_t dead_ = 0;
};

}  // namespace gvp::host
