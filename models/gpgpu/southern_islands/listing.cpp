// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <set>

#include "models/gpgpu/southern_islands/disassembler.h"
#include "models/gpgpu/southern_islands/operations.h"

namespace gvp::gpgpu::southern_islands {
namespace {

struct Item {
  std::size_t word;
  Decoded decoded;
  // A line of the listing can say all of it: executable, and no bits that text cannot hold.
  bool as_instruction() const { return decoded.status == DecodeStatus::kOk; }
};

std::vector<Item> decode_all(const std::vector<uint32_t>& words) {
  std::vector<Item> items;
  for (std::size_t at = 0; at < words.size();) {
    Item item{at, decode(words.data() + at, words.size() - at)};
    // What is no instruction is taken word by word: what follows may be some again.
    if (!item.decoded.executable()) item.decoded.count = 1;
    at += item.decoded.count;
    items.push_back(std::move(item));
  }
  return items;
}

// The word that a branch goes to, or one past the end of everything.
int64_t target_of(const Item& item) {
  return static_cast<int64_t>(item.word) + 1 +
         static_cast<int16_t>(item.decoded.instruction.immediate);
}

bool is_branch(const Item& item) {
  return item.as_instruction() && info(item.decoded.instruction.operation).is(Trait::kTarget);
}

std::string label_at(int64_t word) { return fmt::format("L_{:04x}", word * 4); }

std::string line_of(const Item& item, const std::set<std::size_t>& targets) {
  if (!item.as_instruction()) {
    std::string line = ".long";
    for (unsigned i = 0; i < item.decoded.count; ++i)
      line += fmt::format("{} {:#010x}", i == 0 ? "" : ",", item.decoded.words[i]);
    return line + " ; " + item.decoded.reason;
  }
  const int64_t target = is_branch(item) ? target_of(item) : -1;
  const bool labelled = target >= 0 && targets.count(static_cast<std::size_t>(target)) != 0;
  return to_text(item.decoded.instruction, labelled ? label_at(target) : "");
}

}  // namespace

std::string to_listing(const std::vector<uint32_t>& words, const ListingOptions& options) {
  const std::vector<Item> items = decode_all(words);
  std::set<std::size_t> starts;
  for (const Item& item : items) starts.insert(item.word);
  starts.insert(words.size());
  std::set<std::size_t> targets;
  for (const Item& item : items)
    if (is_branch(item) && target_of(item) >= 0 &&
        starts.count(static_cast<std::size_t>(target_of(item))) != 0)
      targets.insert(static_cast<std::size_t>(target_of(item)));
  std::string text;
  for (const Item& item : items) {
    if (targets.count(item.word) != 0) text += label_at(static_cast<int64_t>(item.word)) + ":\n";
    std::string line = line_of(item, targets);
    if (!options.plain) {
      std::string bits;
      for (unsigned i = 0; i < item.decoded.count; ++i)
        bits += fmt::format(" {:08x}", item.decoded.words[i]);
      line = fmt::format("{:<55} ; {:04x}:{}", line, item.word * 4, bits);
    }
    text += "  " + line + "\n";
  }
  if (targets.count(words.size()) != 0)
    text += label_at(static_cast<int64_t>(words.size())) + ":\n";
  return text;
}

std::string list_problems(const std::vector<uint32_t>& words, const std::string& name) {
  std::string text;
  for (const Item& item : decode_all(words))
    if (!item.as_instruction())
      text += fmt::format("{}+{:#06x}: {:#010x}: {}\n", name, item.word * 4, item.decoded.words[0],
                          item.decoded.reason);
  return text;
}

std::string encodings_as_markdown() {
  constexpr const char* kUnits[] = {"scalar", "integer", "float", "memory", "issue"};
  std::string text =
      "# Southern Islands: operations\n\n"
      "Written by `sidis --encodings` from `models/gpgpu/southern_islands/operations.def`. VOP1, "
      "VOP2 and VOPC also\nhave a form in VOP3 (`_e64`), with the opcode in brackets.\n\n"
      "| operation | format | opcode | unit |\n|---|---|---|---|\n";
  for (const OperationInfo& row : kOperations) {
    if (row.operation == Operation::kNone) continue;
    std::string opcode = fmt::format("{:#x}", row.opcode);
    if (row.has_long_form()) {
      Instruction instruction;
      instruction.operation = row.operation;
      instruction.vop3 = true;
      opcode += fmt::format(" ({:#x})", encode(instruction).words[0] >> 17 & 0x1ff);
    }
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.mnemonic, name_of(row.format), opcode,
                        kUnits[static_cast<std::size_t>(row.unit)]);
  }
  return text;
}

}  // namespace gvp::gpgpu::southern_islands
