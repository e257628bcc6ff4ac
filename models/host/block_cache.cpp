// SPDX-License-Identifier: Apache-2.0
#include "models/host/block_cache.h"

#include <algorithm>

namespace gvp::host {
namespace {

// The lines of its page that a range within it covers.
uint64_t line_mask(uint32_t first, uint32_t last) {
  const uint32_t from = (first % BlockCache::kPageBytes) / BlockCache::kLineBytes;
  const uint32_t to = (last % BlockCache::kPageBytes) / BlockCache::kLineBytes;
  const uint64_t up_to = to == 63 ? ~uint64_t{0} : (uint64_t{1} << (to + 1)) - 1;
  return up_to & ~((uint64_t{1} << from) - 1);
}

// The lines of a page that a block stands in.
uint64_t lines_of(const Block& block, uint32_t page) {
  const uint32_t base = page * BlockCache::kPageBytes;
  return line_mask(std::max(block.physical, base),
                   std::min(BlockCache::last_byte(block), base + (BlockCache::kPageBytes - 1)));
}

}  // namespace

Block* BlockCache::find(uint32_t pc, uint32_t physical, uint8_t mode) const {
  const auto found = blocks_.find(key(pc, physical, mode));
  return found == blocks_.end() ? nullptr : found->second;
}

Block* BlockCache::insert(std::unique_ptr<Block> block) {
  Block* raw = block.get();
  raw->kept = true;
  storage_.push_back(std::move(block));
  blocks_[key(raw->pc, raw->physical, raw->mode)] = raw;
  add_to_page(raw->physical / kPageBytes, *raw);
  if (crosses_page(*raw)) add_to_page(last_byte(*raw) / kPageBytes, *raw);
  return raw;
}

void BlockCache::add_to_page(uint32_t number, Block& block) {
  Page& page = pages_[number];
  has_code_.set(sieve(number));
  page.blocks.push_back(&block);
  page.lines |= lines_of(block, number);
}

Block* BlockCache::hold(std::unique_ptr<Block> block) {
  previously_held_ = std::move(held_);  // the interpreter may come from it
  held_ = std::move(block);
  return held_.get();
}

uint64_t BlockCache::code_lines_of(uint32_t page) const {
  const auto found = pages_.find(page);
  return found == pages_.end() ? 0 : found->second.lines;
}

void BlockCache::kill(Block& block) {
  if (on_kill_) on_kill_(block);
  block.alive = false;
  block.taken = nullptr;
  block.fall = nullptr;
  block.ops[0].code = dead_handler_;
  blocks_.erase(key(block.pc, block.physical, block.mode));
  ++dead_;
}

// Kills the blocks of one page that use the lines of mask.
bool BlockCache::invalidate_lines(uint32_t number, Page& page, uint64_t mask) {
  bool killed = false;
  uint64_t remaining = 0;
  const auto is_hit = [&](Block* block) {
    if (!block->alive) return true;  // killed by way of its other page
    const uint64_t lines = lines_of(*block, number);
    if ((lines & mask) == 0) {
      remaining |= lines;
      return false;
    }
    kill(*block);
    killed = true;
    return true;
  };
  page.blocks.erase(std::remove_if(page.blocks.begin(), page.blocks.end(), is_hit),
                    page.blocks.end());
  page.lines = remaining;
  return killed;
}

bool BlockCache::invalidate(uint32_t first, uint32_t last) {
  if (first / kPageBytes == last / kPageBytes) {
    const auto found = pages_.find(first / kPageBytes);
    return found != pages_.end() &&
           invalidate_lines(found->first, found->second, line_mask(first, last));
  }
  bool killed = false;
  for (auto& [number, page] : pages_) {
    const uint32_t base = number * kPageBytes;
    const uint32_t end = base + (kPageBytes - 1);
    if (base > last || end < first) continue;
    killed |= invalidate_lines(number, page, line_mask(std::max(first, base), std::min(last, end)));
  }
  return killed;
}

void BlockCache::invalidate_all() { invalidate(0, 0xffffffff); }

bool BlockCache::collect() {
  if (!crowded()) return false;
  // Links may lead to dead blocks: forget all links, then free.
  for (const auto& block : storage_) {
    block->taken = nullptr;
    block->fall = nullptr;
  }
  for (auto& [number, page] : pages_)
    page.blocks.erase(std::remove_if(page.blocks.begin(), page.blocks.end(),
                                     [](const Block* block) { return !block->alive; }),
                      page.blocks.end());
  storage_.erase(std::remove_if(storage_.begin(), storage_.end(),
                                [](const auto& block) { return !block->alive; }),
                 storage_.end());
  dead_ = 0;
  return true;
}

}  // namespace gvp::host
