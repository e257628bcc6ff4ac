// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "tests/tools/ptx/interpreter.h"

namespace gvp::ptx {

uint8_t* Interpreter::locate(Thread& thread, const Instruction& in, const Operand& memory,
                             uint64_t extra, unsigned size) {
  Frame& frame = thread.frames.back();
  Space space = in.space;
  if (memory.symbol != kNoIndex && module_.symbols[memory.symbol].space == Space::kParameter) {
    const auto offset = kernel_parameter_offset_.find(memory.symbol);
    if (offset != kernel_parameter_offset_.end() && thread.frames.size() == 1) {
      return &kernel_parameters_.at(offset->second + memory.value + extra);
    }
    auto& bytes = frame.parameters[memory.symbol];
    bytes.resize(std::max<size_t>(bytes.size(), memory.value + extra + size));
    return &bytes[memory.value + extra];
  }
  uint64_t address = memory.value + extra;
  if (memory.index != kNoIndex) address += frame.registers[memory.index];
  if (memory.symbol != kNoIndex) address += address_of_[memory.symbol];
  address &= module_.address_bits == 32 ? 0xffffffffU : ~uint64_t{0};
  if (space == Space::kGeneric) {
    space = Space::kGlobal;
    if (address >= kSharedWindow && address < kSharedWindow + kWindow) {
      space = Space::kShared;
      address -= kSharedWindow;
    } else if (address >= kLocalWindow && address < kLocalWindow + kWindow) {
      space = Space::kLocal;
      address -= kLocalWindow;
    }
  }
  std::vector<uint8_t>* bytes = &global_;
  if (space == Space::kShared) bytes = &shared_;
  if (space == Space::kLocal) bytes = &thread.local;
  if (space == Space::kConstant) bytes = &constants_;
  if (space == Space::kParameter) bytes = &kernel_parameters_;  // by its address
  if (address % size != 0 || address > bytes->size() || bytes->size() - address < size) {
    fail(in, "bad address " + std::to_string(address) + " in ." + std::string(name(space)));
  }
  return bytes->data() + address;
}

void Interpreter::load_store(Thread& thread, const Instruction& in) {
  const bool load = in.opcode == Opcode::kLd;
  const Operand& memory = in.operands[load ? 1 : 0];
  const Operand& data = in.operands[load ? 0 : 1];
  const unsigned size = bytes(in.type);
  const std::vector<Operand> single{data};
  const auto& list = data.kind == Operand::Kind::kVector ? data.elements : single;
  for (size_t i = 0; i < list.size(); ++i) {
    uint8_t* place = locate(thread, in, memory, i * size, size);
    uint64_t word = 0;
    if (load) {
      std::memcpy(&word, place, size);
      set(thread, list[i], in.type, word);
    } else {
      word = value(thread, list[i], in.type);
      std::memcpy(place, &word, size);
    }
  }
}

}  // namespace gvp::ptx
