// SPDX-License-Identifier: Apache-2.0
// Reads the text form of cubins: nested blocks of "key = value" and numbers in braces.  Ours is the
// block that says which source lines a kernel was made from, behind its code:
//   lines { name = KERNEL  file = FILE ...  rows { ADDRESS FILE LINE ... } }
// with files counted from 0 in their order, and characters of their names that mean something here
// as %XX.  Readers that do not know it skip it, as any block.
#include <fmt/format.h>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"

namespace gvp::gpgpu::g80 {
namespace {

struct Token {
  std::string_view text;  // empty at the end of the file
  uint32_t line = 0;
  uint32_t column = 0;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) { next(); }

  Module run();

 private:
  void next();
  bool is(std::string_view wanted) const { return token_.text == wanted; }
  void expect(std::string_view wanted, const char* where);
  std::string word(const char* what);
  uint32_t number(std::string_view key, uint32_t maximum);
  std::string braced_word();
  void skip_block();
  std::vector<uint32_t> words();
  // A block up to its end.  What is inside of block(key, place) and value(key) they read
  // themselves; where they return false, it is nothing that execution depends on.
  template <typename Block, typename Value>
  void read_block(const char* where, Block block, Value value);
  Kernel code();
  void lines(Module& module);
  void add_rows(Kernel& kernel, const std::vector<std::string>& files,
                const std::vector<uint32_t>& rows, const Token& where);
  ConstantSegment segment();
  void check(ConstantSegment& segment, const Token& where);
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") {
    fail(token_, what, remedy);
  }
  [[noreturn]] void fail(const Token& where, const std::string& what,
                         const std::string& remedy = "") {
    throw bad_input(what, {file_, where.line, where.column}, remedy);
  }
  std::string shown() const {
    return token_.text.empty() ? "the end of the file"
                               : fmt::format("\"{}\"", token_.text.substr(0, 40));
  }

  std::string_view text_;
  std::string file_;
  std::size_t position_ = 0;
  uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  Token token_;
};

void Reader::next() {
  const std::string_view blanks = " \t\r\n\v\f";
  while (position_ < text_.size() && blanks.find(text_[position_]) != std::string_view::npos) {
    if (text_[position_] == '\n') {
      ++line_;
      line_start_ = position_ + 1;
    }
    ++position_;
  }
  const std::size_t start = position_;
  token_.line = line_;
  token_.column = static_cast<uint32_t>(start - line_start_ + 1);
  const std::string_view marks = "{}=";
  if (start < text_.size() && marks.find(text_[start]) != std::string_view::npos) {
    ++position_;
  } else {
    while (position_ < text_.size() && blanks.find(text_[position_]) == std::string_view::npos &&
           marks.find(text_[position_]) == std::string_view::npos)
      ++position_;
  }
  token_.text = text_.substr(start, position_ - start);
}

void Reader::expect(std::string_view wanted, const char* where) {
  if (!is(wanted)) fail(fmt::format("\"{}\" expected {}, not {}", wanted, where, shown()));
  next();
}

std::string Reader::word(const char* what) {
  if (token_.text.empty() || is("{") || is("}") || is("="))
    fail(fmt::format("{} expected, not {}", what, shown()));
  std::string result(token_.text);
  next();
  return result;
}

uint32_t Reader::number(std::string_view key, uint32_t maximum) {
  const Token where = token_;
  const std::string text = word("a number");
  const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  uint64_t value = 0;
  for (std::size_t n = hexadecimal ? 2 : 0; n < text.size(); ++n) {
    const std::string_view digits = "0123456789abcdefABCDEF";
    std::size_t digit = digits.find(text[n]);
    if (digit > 15 && digit < digits.size()) digit -= 6;
    if (digit >= (hexadecimal ? 16u : 10u))
      fail(where, fmt::format("\"{}\" is no number", text.substr(0, 40)));
    value = value * (hexadecimal ? 16 : 10) + digit;
    if (value > maximum)
      fail(where, fmt::format("{} = {} is too large", key, text.substr(0, 40)),
           fmt::format("at most {}", maximum));
  }
  return static_cast<uint32_t>(value);
}

std::string Reader::braced_word() {
  expect("{", "after the name");
  std::string value = is("}") ? "" : word("a value");
  expect("}", "after the value");
  return value;
}

void Reader::skip_block() {
  const Token start = token_;
  expect("{", "at the beginning of a block");
  for (unsigned depth = 1; depth > 0; next()) {
    if (token_.text.empty()) fail(start, "this block has no end", "\"}\" is missing");
    if (is("{")) ++depth;
    if (is("}")) --depth;
  }
}

std::vector<uint32_t> Reader::words() {
  std::vector<uint32_t> list;
  expect("{", "at the beginning of a block of words");
  while (!is("}")) list.push_back(number("word", 0xffffffff));
  next();
  return list;
}

void Reader::check(ConstantSegment& s, const Token& where) {
  if (s.bytes == 0 && !s.words.empty()) s.bytes = static_cast<uint32_t>(s.words.size() * 4);
  if (s.offset % 4 != 0)
    fail(where, fmt::format("offset {} of constants is not a multiple of 4", s.offset));
  if (s.offset + s.bytes > 0x10000) fail(where, "the constants exceed the 65536 bytes of a bank");
  const std::size_t needed = (s.bytes + 3u) / 4;
  if (!s.words.empty() && s.words.size() != needed)
    fail(where, fmt::format("{} words of constants, but bytes = {}", s.words.size(), s.bytes));
}

template <typename Block, typename Value>
void Reader::read_block(const char* where, Block block, Value value) {
  expect("{", where);
  while (!is("}")) {
    const Token place = token_;
    const std::string key = word("a key");
    if (block(key, place)) continue;
    if (is("{")) {
      skip_block();
      continue;
    }
    expect("=", "after the key");
    if (!value(key)) word("a value");
  }
  next();
}

ConstantSegment Reader::segment() {
  ConstantSegment s;
  const Token start = token_;
  const auto block = [&](const std::string& key, const Token&) {
    if (key != "mem") return false;
    s.words = words();
    return true;
  };
  const auto value = [&](const std::string& key) {  // not segname, align...
    if (key == "name")
      s.name = word("a name");
    else if (key == "segnum")
      s.bank = number(key, 15);
    else if (key == "offset")
      s.offset = number(key, 0xffff);
    else if (key == "bytes")
      s.bytes = number(key, 0x10000000);
    else
      return false;
    return true;
  };
  read_block("at the beginning of a block", block, value);
  if (s.words.size() > 0x4000) fail(start, "the constants exceed the 65536 bytes of a bank");
  return s;
}

Kernel Reader::code() {
  Kernel kernel;
  const Token start = token_;
  const auto block = [&](const std::string& key, const Token& place) {
    if (key == "bincode") {
      kernel.code = words();
      return true;
    }
    if (key != "const") return false;
    ConstantSegment constants = segment();
    check(constants, place);
    kernel.constants.push_back(std::move(constants));
    return true;
  };
  const auto value = [&](const std::string& key) {
    if (key == "name")
      kernel.name = word("a name");
    else if (key == "lmem")
      kernel.local_bytes = number(key, 0x1000000);
    else if (key == "smem")
      kernel.shared_bytes = number(key, 0x10000);
    else if (key == "reg")
      kernel.registers = number(key, 128);
    else if (key == "bar")
      kernel.barriers = number(key, 16);
    else if (key == "param")
      kernel.parameter_bytes = number(key, 0x10000);
    else
      return false;
    return true;
  };
  read_block("after code", block, value);
  if (kernel.name.empty()) fail(start, "a kernel without name");
  if (kernel.code.empty())
    fail(start, fmt::format("kernel \"{}\" has no code", kernel.name),
         "bincode { ... } is missing");
  return kernel;
}

// The text that stands for the name of a file.
std::string decoded(std::string_view text) {
  std::string name;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view digits = "0123456789ABCDEF";
    const std::size_t high = at + 2 < text.size() ? digits.find(text[at + 1]) : std::string::npos;
    const std::size_t low = at + 2 < text.size() ? digits.find(text[at + 2]) : std::string::npos;
    const bool is_code = high != std::string::npos && low != std::string::npos && high + low != 0;
    if (text[at] == '%' && is_code) {
      name += static_cast<char>(16 * high + low);
      at += 2;
    } else {
      name += text[at];
    }
  }
  return name;
}

void Reader::lines(Module& module) {
  std::string kernel;
  std::vector<std::string> files;
  std::vector<uint32_t> rows;
  const Token start = token_;
  const auto block = [&](const std::string& key, const Token&) {
    if (key != "rows") return false;
    rows = words();
    return true;
  };
  const auto value = [&](const std::string& key) {
    if (key == "name")
      kernel = word("a name");
    else if (key == "file")
      files.push_back(decoded(word("a file")));
    else
      return false;
    return true;
  };
  read_block("after lines", block, value);
  for (Kernel& candidate : module.kernels)
    if (candidate.name == kernel) return add_rows(candidate, files, rows, start);
  fail(start, fmt::format("lines of kernel \"{}\", which does not stand before them", kernel));
}

void Reader::add_rows(Kernel& kernel, const std::vector<std::string>& files,
                      const std::vector<uint32_t>& rows, const Token& where) {
  if (!kernel.lines.empty())
    fail(where, fmt::format("lines of kernel \"{}\" a second time", kernel.name));
  if (rows.size() % 3 != 0)
    fail(where, fmt::format("{} numbers are no rows of address, file and line", rows.size()));
  std::vector<uint32_t> indices;
  indices.reserve(files.size());
  for (const std::string& file : files) indices.push_back(kernel.lines.file(file));
  for (std::size_t n = 0; n < rows.size(); n += 3) {
    const uint32_t address = rows[n];
    if (address % 4 != 0 || address / 4 >= kernel.code.size() || (n != 0 && address <= rows[n - 3]))
      fail(where, fmt::format("address {:#x} of a line", address),
           "they ascend, and lie in the kernel's code");
    if (rows[n + 1] >= files.size())
      fail(where, fmt::format("file {} of a line, and there are {}", rows[n + 1], files.size()));
    kernel.lines.add(address, indices[rows[n + 1]], rows[n + 2]);
  }
}

Module Reader::run() {
  Module module;
  while (!token_.text.empty()) {
    const Token where = token_;
    const std::string key = word("a block");
    if (key == "architecture") {
      module.architecture = braced_word();
      if (module.architecture.compare(0, 4, "sm_1") != 0)
        fail(where, fmt::format("code for {}", module.architecture),
             "this GPGPU executes sm_10; compile for sm_10");
    } else if (key == "abiversion") {
      expect("{", "after abiversion");
      module.abi_version = number(key, 255);
      expect("}", "after the value");
    } else if (key == "modname") {
      module.name = braced_word();
    } else if (key == "code") {
      Kernel kernel = code();
      if (module.find(kernel.name) != nullptr)
        fail(where, fmt::format("there is a kernel \"{}\" already", kernel.name));
      module.kernels.push_back(std::move(kernel));
    } else if (key == "lines") {
      lines(module);
    } else if (key == "consts") {
      ConstantSegment constants = segment();
      check(constants, where);
      module.constants.push_back(std::move(constants));
    } else if (key == "reloc") {
      ConstantSegment s = segment();
      if (s.offset % 4 != 0) fail(where, "the offset of a relocation is not a multiple of 4");
      module.relocations.push_back(
          Relocation{s.name, s.bank, s.offset, s.bytes, std::move(s.words)});
    } else if (is("{")) {
      skip_block();  // sampler...
    } else {
      fail(where, fmt::format("\"{}\" is no part of a cubin", key.substr(0, 40)),
           "architecture, abiversion, modname, consts, reloc, sampler, code or lines");
    }
  }
  return module;
}

}  // namespace

Module parse_text_cubin(std::string_view text, const std::string& file) {
  return Reader(text, file).run();
}

}  // namespace gvp::gpgpu::g80
