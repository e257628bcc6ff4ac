// SPDX-License-Identifier: Apache-2.0
#include "models/host/page_table.h"

#include <sys/mman.h>

#include "models/base/error.h"

namespace gvp::host {
namespace {

constexpr size_t kBytes = size_t{PageTable::kPages} * sizeof(PageTable::Page);
// With more, all are forgotten, so that set_code_lines() need not look at too many.
constexpr size_t kMostMoved = 1024;

}  // namespace

PageTable::~PageTable() {
  if (pages_ != nullptr) munmap(pages_, kBytes);
}

void PageTable::allocate() {
  if (pages_ != nullptr) return;
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw model_error("the system gives no address space for a page table of 64 MiB", "host",
                      "raise the limit of virtual memory (ulimit -v)");
  // Few pages are used: a huge page would cost more to clear than it saves.
  madvise(memory, kBytes, MADV_NOHUGEPAGE);
  pages_ = static_cast<Page*>(memory);
  pages_[0] = Page{};
}

void PageTable::remember(uint32_t address, uint32_t physical, const Page& page) {
  const uint32_t virtual_number = address / kPageBytes;
  const uint32_t physical_number = physical / kPageBytes;
  const bool is_new = pages_[virtual_number].offset == 0;
  const bool is_moved = virtual_number != physical_number;
  if (is_new && is_moved && moved_.size() >= kMostMoved) forget();
  pages_[virtual_number] = page;
  if (!is_new) return;
  used_.push_back(virtual_number);
  if (is_moved) moved_.push_back({virtual_number, physical_number});
}

void PageTable::forget() {
  for (const uint32_t number : used_) pages_[number] = Page{};
  used_.clear();
  moved_.clear();
}

void PageTable::set_code_lines(uint32_t physical, uint64_t lines) {
  if (pages_ == nullptr) return;
  const uint32_t number = physical / kPageBytes;
  bool stands_for_itself = pages_[number].offset != 0;
  for (const Moved& moved : moved_) {
    if (moved.physical_number == number) pages_[moved.number].code_lines = lines;
    if (moved.number == number) stands_for_itself = false;
  }
  if (stands_for_itself) pages_[number].code_lines = lines;
}

}  // namespace gvp::host
