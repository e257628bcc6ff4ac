// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/line_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace gvp::gpgpu::g80 {
namespace {

// DWARF 2, 7.21.
enum : uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvanceAddress = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kSetColumn = 5,
  kNegateStatement = 6,
  kSetBasicBlock = 7,
  kConstantAddAddress = 8,
  kFixedAdvanceAddress = 9,
  kFirstSpecial = 10,
};
enum : uint8_t { kEndSequence = 1, kSetAddress = 2, kDefineFile = 3 };

constexpr std::array<uint8_t, kFirstSpecial - 1> kOperands{0, 1, 1, 1, 1, 0, 0, 0, 1};
constexpr uint8_t kInstructionBytes = 4;  // the least
constexpr int8_t kLineBase = -5;          // of special opcodes, which are not written here
constexpr uint8_t kLineRange = 14;
constexpr uint16_t kVersion = 2;
constexpr uint16_t kNewestRead = 4;
constexpr uint32_t kWideUnit = 0xfffffff0;  // from here on a length means something else

class Writer {
 public:
  explicit Writer(std::vector<uint8_t>& bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  void byte(uint8_t value) { bytes_.push_back(value); }
  void number(uint32_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) byte(static_cast<uint8_t>(value >> (8 * i)));
  }
  void leb(uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<uint8_t>(value | 0x80));
    byte(static_cast<uint8_t>(value));
  }
  void signed_leb(int64_t value) {
    for (; value < -64 || value > 63; value >>= 7) byte(static_cast<uint8_t>(value | 0x80));
    byte(static_cast<uint8_t>(value & 0x7f));
  }
  void text(const std::string& value) {
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    byte(0);
  }
  // A length of four bytes, to be filled in when what it measures is there.
  std::size_t reserve_length() {
    number(0, 4);
    return size();
  }
  void fill_length(std::size_t begin) {
    const auto length = static_cast<uint32_t>(size() - begin);
    for (unsigned i = 0; i < 4; ++i)
      bytes_[begin - 4 + i] = static_cast<uint8_t>(length >> (8 * i));
  }

 private:
  std::vector<uint8_t>& bytes_;
};

// Bytes that may end anywhere: from then on everything is zero and good() false.
class Reader {
 public:
  Reader(std::string_view bytes, std::size_t at, std::size_t end)
      : bytes_(bytes), at_(at), end_(end) {}

  bool good() const { return good_; }
  std::size_t at() const { return at_; }
  std::size_t left() const { return end_ - at_; }
  bool at_end() const { return at_ >= end_; }
  uint8_t byte() {
    if (at_ >= end_) {
      good_ = false;
      return 0;
    }
    return static_cast<uint8_t>(bytes_[at_++]);
  }
  uint64_t number(unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) value |= uint64_t{byte()} << (8 * i);
    return value;
  }
  uint64_t leb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t next = byte();
      if (shift < 64) value |= uint64_t{next & 0x7fu} << shift;
      if ((next & 0x80) == 0) return value;
    }
  }
  int64_t signed_leb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t next = byte();
      if (shift < 64) value |= uint64_t{next & 0x7fu} << shift;
      if ((next & 0x80) != 0) continue;
      if ((next & 0x40) != 0 && shift + 7 < 64) value |= ~uint64_t{0} << (shift + 7);
      return static_cast<int64_t>(value);
    }
  }
  std::string text() {
    const std::size_t end = bytes_.substr(0, end_).find('\0', at_);
    if (end == std::string_view::npos) {
      good_ = false;
      at_ = end_;
      return "";
    }
    std::string value(bytes_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }
  void skip_to(std::size_t place) {
    good_ = good_ && place >= at_ && place <= end_;
    if (good_) at_ = place;
  }

 private:
  std::string_view bytes_;
  std::size_t at_;
  std::size_t end_;
  bool good_ = true;
};

// Executes the program of one unit.
class Unit {
 public:
  Unit(Reader in, std::vector<LineSequence>& sequences) : in_(in), sequences_(sequences) {}

  // What is wrong, or an empty text.
  std::string run() {
    const uint64_t version = in_.number(2);
    if (version < kVersion || version > kNewestRead) return "";  // not ours to understand
    if (!header(version)) return "has a damaged header";
    begin();
    while (!in_.at_end() && in_.good())
      if (const char* problem = step()) return problem;
    return in_.good() ? "" : "ends within an instruction of its line program";
  }

 private:
  bool header(uint64_t version) {
    const uint64_t header_bytes = in_.number(4);
    if (header_bytes > in_.left()) return false;
    const std::size_t program = in_.at() + header_bytes;
    instruction_bytes_ = in_.byte();
    if (version >= 4) in_.byte();      // operations of an instruction: of VLIW machines
    in_.byte();                        // whether rows are statements at first
    const int line_base = in_.byte();  // a signed byte
    line_base_ = line_base < 0x80 ? line_base : line_base - 0x100;
    line_range_ = in_.byte();
    first_special_ = in_.byte();
    for (unsigned i = 1; i < first_special_; ++i) operands_[i] = in_.byte();
    std::vector<std::string> folders{""};
    for (std::string folder = in_.text(); !folder.empty(); folder = in_.text())
      folders.push_back(std::move(folder));
    for (std::string name = in_.text(); !name.empty(); name = in_.text()) file(name, folders);
    if (line_range_ == 0 || first_special_ == 0) return false;
    in_.skip_to(program);
    return in_.good();
  }

  void file(const std::string& name, const std::vector<std::string>& folders) {
    const uint64_t folder = in_.leb();
    in_.leb();  // time
    in_.leb();  // bytes
    const bool below = folder != 0 && folder < folders.size() && name[0] != '/';
    files_.push_back(below ? folders[folder] + '/' + name : name);
  }

  void begin() {
    sequence_ = {};
    places_.assign(files_.size(), kNone);
    address_ = 0;
    file_ = 1;
    line_ = 1;
  }

  void row() {
    if (file_ == 0 || file_ > files_.size() || line_ < 0 || line_ > INT32_MAX ||
        address_ > UINT32_MAX)
      return;
    uint32_t& place = places_[file_ - 1];
    if (place == kNone) place = sequence_.lines.file(files_[file_ - 1]);
    sequence_.lines.add(static_cast<uint32_t>(address_), place, static_cast<uint32_t>(line_));
  }

  const char* advance(uint64_t instructions) {
    const uint64_t bytes = instructions * instruction_bytes_;
    if (instructions > UINT32_MAX || address_ + bytes > UINT32_MAX)
      return "leads to an address beyond 32 bits";
    address_ += bytes;
    return nullptr;
  }

  const char* step() {
    const uint8_t opcode = in_.byte();
    if (opcode >= first_special_) {
      const unsigned special = opcode - first_special_;
      line_ += line_base_ + static_cast<int>(special % line_range_);
      if (const char* problem = advance(special / line_range_)) return problem;
      row();
      return nullptr;
    }
    switch (opcode) {
      case kExtended:
        return extended();
      case kCopy:
        row();
        return nullptr;
      case kAdvanceAddress:
        return advance(in_.leb());
      case kAdvanceLine:
        // Beyond any file's lines: kept where sums cannot overflow.
        line_ = std::clamp<int64_t>(in_.signed_leb(), INT32_MIN, INT32_MAX) + line_;
        line_ = std::clamp<int64_t>(line_, INT32_MIN, INT32_MAX);
        return nullptr;
      case kSetFile:
        file_ = in_.leb();
        return nullptr;
      case kConstantAddAddress:
        return advance((255u - first_special_) / line_range_);
      case kFixedAdvanceAddress:
        address_ += in_.number(2);
        return address_ > UINT32_MAX ? "leads to an address beyond 32 bits" : nullptr;
      default:
        for (unsigned i = 0; i < operands_[opcode]; ++i) in_.leb();
        return nullptr;
    }
  }

  const char* extended() {
    const uint64_t length = in_.leb();
    if (length == 0 || length > in_.left()) return "has an instruction that reaches beyond it";
    const std::size_t end = in_.at() + length;
    switch (in_.byte()) {
      case kEndSequence:
        if (!sequence_.lines.empty()) sequences_.push_back(std::move(sequence_));
        begin();
        break;
      case kSetAddress: {
        const std::size_t at = in_.at();
        const uint64_t address =
            in_.number(static_cast<unsigned>(std::min<uint64_t>(length - 1, 8)));
        if (!sequence_.lines.empty() && address < address_) return "goes back to a lower address";
        if (sequence_.lines.empty()) sequence_.address_at = at;
        if (address > UINT32_MAX) return "leads to an address beyond 32 bits";
        address_ = address;
        break;
      }
      default:
        break;
    }
    in_.skip_to(end);
    return nullptr;
  }

  static constexpr uint32_t kNone = ~0u;

  Reader in_;
  std::vector<LineSequence>& sequences_;
  std::vector<std::string> files_;
  std::vector<uint32_t> places_;  // of each file in the sequence's own table
  std::array<uint8_t, 256> operands_{};
  uint64_t instruction_bytes_ = 1;
  int line_base_ = 0;
  unsigned line_range_ = 1;
  unsigned first_special_ = 1;

  LineSequence sequence_;
  uint64_t address_ = 0;
  uint64_t file_ = 1;
  int64_t line_ = 1;
};

}  // namespace

std::size_t append_line_program(const LineTable& lines, uint32_t code_bytes,
                                std::vector<uint8_t>& section) {
  Writer out(section);
  const std::size_t unit = out.reserve_length();
  out.number(kVersion, 2);
  const std::size_t header = out.reserve_length();
  out.byte(kInstructionBytes);
  out.byte(1);  // rows are statements
  out.byte(static_cast<uint8_t>(kLineBase));
  out.byte(kLineRange);
  out.byte(kFirstSpecial);
  for (const uint8_t count : kOperands) out.byte(count);
  out.byte(0);  // no folders: names are whole
  for (const std::string& file : lines.files()) {
    out.text(file);
    for (unsigned i = 0; i < 3; ++i) out.leb(0);  // folder, time, bytes
  }
  out.byte(0);
  out.fill_length(header);

  out.byte(kExtended);
  out.leb(5);
  out.byte(kSetAddress);
  const std::size_t address_at = out.size();
  out.number(0, 4);
  LineTable::Row at{0, 0, 1};
  for (const LineTable::Row& row : lines.rows()) {
    if (row.address != at.address) {
      out.byte(kAdvanceAddress);
      out.leb((row.address - at.address) / kInstructionBytes);
    }
    if (row.file != at.file) {
      out.byte(kSetFile);
      out.leb(uint64_t{row.file} + 1);
    }
    if (row.line != at.line) {
      out.byte(kAdvanceLine);
      out.signed_leb(int64_t{row.line} - at.line);
    }
    out.byte(kCopy);
    at = row;
  }
  out.byte(kAdvanceAddress);
  out.leb((code_bytes - at.address) / kInstructionBytes);
  out.byte(kExtended);
  out.leb(1);
  out.byte(kEndSequence);
  out.fill_length(unit);
  return address_at;
}

std::vector<LineSequence> read_line_programs(std::string_view section, std::string* problem) {
  std::vector<LineSequence> sequences;
  std::size_t at = 0;
  while (problem->empty() && at < section.size()) {
    Reader length(section, at, section.size());
    const uint64_t bytes = length.number(4);
    if (!length.good() || bytes >= kWideUnit || bytes > length.left()) {
      *problem = fmt::format("the unit at {:#x} reaches beyond the section", at);
      break;
    }
    const std::size_t end = length.at() + bytes;
    const std::string wrong = Unit(Reader(section, length.at(), end), sequences).run();
    if (!wrong.empty()) *problem = fmt::format("the unit at {:#x} {}", at, wrong);
    at = end;
  }
  return sequences;
}

}  // namespace gvp::gpgpu::g80
