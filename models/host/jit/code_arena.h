// SPDX-License-Identifier: Apache-2.0
// Memory for machine code, never writable and executable at the same address: one piece of memory,
// mapped twice, once to be written and once to be executed.  Positions are offsets from its start.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gvp::host {

class CodeArena {
 public:
  // bytes: a multiple of the page size.  Throws Error where the system refuses executable memory.
  explicit CodeArena(size_t bytes);
  ~CodeArena();
  CodeArena(const CodeArena&) = delete;
  CodeArena& operator=(const CodeArena&) = delete;

  const uint8_t* code(uint32_t position) const { return executable_ + position; }
  uint32_t used() const { return used_; }
  size_t size() const { return bytes_; }
  // Appends code; false: there is no room for it.
  bool append(const uint8_t* bytes, size_t size);
  // Back to a former used().
  void shrink(uint32_t used) { used_ = used; }
  // Lets the jump whose displacement stands at a position lead to another one.
  void set_jump(uint32_t position, uint32_t target);

 private:
  size_t bytes_;
  uint32_t used_ = 0;
  uint8_t* executable_ = nullptr;
  uint8_t* writable_ = nullptr;
};

}  // namespace gvp::host
