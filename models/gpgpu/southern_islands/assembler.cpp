// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/base/error.h"
#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/instruction_parser.h"

namespace gvp::gpgpu::southern_islands {
namespace {

constexpr std::size_t kMostWords = std::size_t{1} << 22;  // 16 MiB of code
constexpr int64_t kMostAlignment = 12;                    // as a power of two: 4 KiB
constexpr uint32_t kNop = 0xbf800000;                     // s_nop 0

// What compilers write beside code and that changes none of it.
constexpr std::string_view kIgnoredDirectives[] = {
    ".globl",   ".global",      ".weak",  ".hidden", ".protected",     ".type",
    ".size",    ".ident",       ".file",  ".loc",    ".set",           ".amdgcn_target",
    ".addrsig", ".addrsig_sym", ".local", ".comm",   ".cfi_startproc", ".cfi_endproc"};

class Assembler {
 public:
  Assembler(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  Assembly run() {
    uint32_t line_number = 0;
    for (std::size_t start = 0; start < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      Scanner scanner(text_.substr(start, end - start), file_, ++line_number);
      line(scanner, line_number);
      start = end + 1;
    }
    for (const Branch& branch : branches_) resolve(branch);
    return std::move(assembly_);
  }

 private:
  struct Branch {
    std::size_t word;
    std::string target;
    uint32_t line;
    std::size_t position;
  };

  void line(Scanner& scanner, uint32_t line_number) {
    while (!scanner.at_end()) {
      const std::size_t position = scanner.position();
      const std::string_view name = scanner.name();
      if (name.empty()) {
        if (!in_text_) return;
        scanner.fail("expected an instruction, a label or a directive");
      }
      if (scanner.accept(':')) {
        if (in_text_) define(scanner, std::string(name), position);
        continue;
      }
      if (name[0] == '.') return directive(scanner, name, position);
      if (in_text_) instruction(scanner, name, position, line_number);
      return;
    }
  }

  void define(const Scanner& scanner, const std::string& name, std::size_t position) {
    const auto offset = static_cast<uint32_t>(assembly_.words.size() * 4);
    if (!offsets_.emplace(name, offset).second)
      scanner.fail_at(position, fmt::format("the label {} is defined twice", name));
    if (name[0] != '.') assembly_.labels.push_back({name, offset});
  }

  void instruction(Scanner& scanner, std::string_view name, std::size_t position,
                   uint32_t line_number) {
    const ParsedInstruction parsed = parse_instruction(scanner, name, position);
    if (!parsed.target.empty())
      branches_.push_back(
          {assembly_.words.size(), parsed.target, line_number, parsed.target_position});
    const Encoded encoded = encode(parsed.instruction);
    for (unsigned i = 0; i < encoded.count; ++i) add(scanner, encoded.words[i]);
  }

  void add(Scanner& scanner, uint32_t word) {
    if (assembly_.words.size() >= kMostWords) scanner.fail("more than 16 MiB of code");
    assembly_.words.push_back(word);
  }

  void directive(Scanner& scanner, std::string_view name, std::size_t position) {
    if (name == ".text") {
      in_text_ = true;
    } else if (name == ".section") {
      in_text_ = scanner.name() == ".text";
    } else if (name == ".data" || name == ".bss") {
      in_text_ = false;
    } else if (in_text_ && (name == ".long" || name == ".word")) {
      do add(scanner, static_cast<uint32_t>(scanner.integer(INT32_MIN, UINT32_MAX, "the word")));
      while (scanner.accept(','));
      if (!scanner.at_end()) scanner.fail("expected the end of the line");
    } else if (in_text_ && name == ".p2align") {
      const int64_t power = scanner.integer(0, kMostAlignment, "the power of two");
      while ((assembly_.words.size() * 4) % (std::size_t{1} << power) != 0) add(scanner, kNop);
    } else if (in_text_ && std::find(std::begin(kIgnoredDirectives), std::end(kIgnoredDirectives),
                                     name) == std::end(kIgnoredDirectives)) {
      scanner.fail_at(position, fmt::format("unknown directive {}", name),
                      ".text, .section, .p2align, .long, .word, and those of clang that change no "
                      "code are known");
    }
  }

  void resolve(const Branch& branch) {
    const SourceLocation where{file_, branch.line, static_cast<uint32_t>(branch.position + 1)};
    const auto found = offsets_.find(branch.target);
    if (found == offsets_.end())
      throw bad_input(fmt::format("there is no label {}", branch.target), where);
    const int64_t distance =
        static_cast<int64_t>(found->second / 4) - static_cast<int64_t>(branch.word) - 1;
    if (distance < INT16_MIN || distance > INT16_MAX)
      throw bad_input(
          fmt::format("{} is {} words away, and a branch reaches 32767", branch.target, distance),
          where);
    assembly_.words[branch.word] |= static_cast<uint16_t>(distance);
  }

  std::string_view text_;
  std::string file_;
  Assembly assembly_;
  bool in_text_ = true;
  std::map<std::string, uint32_t, std::less<>> offsets_;
  std::vector<Branch> branches_;
};

}  // namespace

Assembly assemble(std::string_view text, const std::string& file) {
  return Assembler(text, file).run();
}

Instruction assemble_instruction(std::string_view text) {
  Scanner scanner(text, "instruction", 1);
  const std::size_t position = scanner.position();
  const std::string_view name = scanner.name();
  const ParsedInstruction parsed = parse_instruction(scanner, name, position);
  if (!parsed.target.empty())
    scanner.fail_at(parsed.target_position, "there are no labels beside one instruction",
                    "give the distance in words");
  return parsed.instruction;
}

}  // namespace gvp::gpgpu::southern_islands
