// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/cubin_elf.h"
#include "models/gpgpu/g80/line_program.h"

namespace gvp::gpgpu::g80 {
namespace {

using namespace cubin_elf;

struct Section {
  std::string name;
  GElf_Shdr header{};
  std::string_view bytes;  // empty for SHT_NOBITS
};

struct Symbol {
  std::string name;
  uint64_t value = 0;
  uint64_t size = 0;
  std::size_t section = 0;
};

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

uint32_t word_at(std::string_view bytes, std::size_t offset) {
  uint32_t word = 0;
  const std::size_t count =
      offset < bytes.size() ? std::min<std::size_t>(4, bytes.size() - offset) : 0;
  if (count != 0) std::memcpy(&word, bytes.data() + offset, count);  // files are little-endian
  return word;
}

std::vector<uint32_t> words_of(std::string_view bytes, std::size_t offset, std::size_t size) {
  std::vector<uint32_t> words;
  for (std::size_t n = 0; n < size; n += 4) words.push_back(word_at(bytes, offset + n));
  return words;
}

class ElfReader {
 public:
  ElfReader(std::string_view contents, std::string file)
      : contents_(contents.begin(), contents.end()), file_(std::move(file)) {}

  Module run();

 private:
  void open();
  void read_sections();
  void read_symbols();
  void read_kernels();
  void read_kernel_memory();
  void read_parameters(const Section& section, Kernel& kernel);
  void read_frame_sizes(const Section& section);
  template <typename Visit>
  void for_each_attribute(const Section& section, const Visit& visit);
  void read_constants(std::size_t index);
  void read_relocations();
  void read_lines();
  std::map<std::size_t, std::size_t> relocated_lines() const;
  void add_constants(std::size_t index, unsigned bank, std::vector<ConstantSegment>& to);
  Kernel* kernel_named(std::string_view name);
  uint32_t checked_size(const Section& section, uint64_t maximum);

  [[noreturn]] void fail(const std::string& where, const std::string& what,
                         const std::string& remedy = "") {
    throw bad_input(where.empty() ? what : fmt::format("section {}: {}", where, what),
                    {file_, 0, 0}, remedy);
  }

  std::vector<char> contents_;
  std::string file_;
  std::unique_ptr<Elf, int (*)(Elf*)> elf_{nullptr, elf_end};
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  Module module_;
};

Module ElfReader::run() {
  open();
  read_sections();
  read_symbols();
  read_kernels();
  read_kernel_memory();
  for (std::size_t n = 0; n < sections_.size(); ++n)
    if (starts_with(sections_[n].name, kConstant)) read_constants(n);
  read_relocations();
  read_lines();
  if (module_.kernels.empty()) fail("", "no kernel in this file", "there is no section .text.NAME");
  return std::move(module_);
}

void ElfReader::open() {
  elf_version(EV_CURRENT);
  elf_.reset(elf_memory(contents_.data(), contents_.size()));
  GElf_Ehdr header;
  if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF || gelf_getehdr(elf_.get(), &header) == nullptr)
    fail("", "not a complete ELF file");
  if (header.e_ident[EI_DATA] != ELFDATA2LSB)
    fail("", "a cubin is little-endian, this file is not");
  if (header.e_machine != kMachineCuda)
    fail("", fmt::format("no code for a GPU (ELF machine {})", header.e_machine),
         "a cubin has machine 190 (CUDA)");
  const unsigned architecture = header.e_flags & 0xff;
  if (architecture < 10 || architecture > 13)
    fail("", fmt::format("code for sm_{}", architecture),
         "this GPGPU executes sm_10; compile for sm_10");
  module_.architecture = fmt::format("sm_{}", architecture);
}

void ElfReader::read_sections() {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_.get(), &names) != 0) fail("", "no section names");
  std::size_t count = 0;
  if (elf_getshdrnum(elf_.get(), &count) != 0 || count > 0xffff) fail("", "damaged section table");
  for (std::size_t n = 0; n < count; ++n) {
    Section section;
    Elf_Scn* handle = elf_getscn(elf_.get(), n);
    if (handle == nullptr || gelf_getshdr(handle, &section.header) == nullptr)
      fail("", fmt::format("section {} of {} is damaged", n, count));
    const char* name = elf_strptr(elf_.get(), names, section.header.sh_name);
    section.name = name == nullptr ? "" : name;
    const GElf_Shdr& h = section.header;
    if (h.sh_type != SHT_NOBITS && h.sh_type != SHT_NULL) {
      if (h.sh_offset > contents_.size() || h.sh_size > contents_.size() - h.sh_offset)
        fail(section.name, "reaches beyond the end of the file", "the file is truncated");
      section.bytes = std::string_view(contents_.data() + h.sh_offset, h.sh_size);
    }
    sections_.push_back(std::move(section));
  }
}

void ElfReader::read_symbols() {
  const bool is_64 = gelf_getclass(elf_.get()) == ELFCLASS64;
  for (const Section& table : sections_) {
    if (table.header.sh_type != SHT_SYMTAB) continue;
    const std::size_t size = is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    for (std::size_t at = 0; at + size <= table.bytes.size(); at += size) {
      Elf64_Sym s{};
      if (is_64) {
        std::memcpy(&s, table.bytes.data() + at, sizeof s);
      } else {
        Elf32_Sym narrow;
        std::memcpy(&narrow, table.bytes.data() + at, sizeof narrow);
        s.st_name = narrow.st_name;
        s.st_info = narrow.st_info;
        s.st_shndx = narrow.st_shndx;
        s.st_value = narrow.st_value;
        s.st_size = narrow.st_size;
      }
      Symbol symbol{"", s.st_value, s.st_size, s.st_shndx};
      const char* name = elf_strptr(elf_.get(), table.header.sh_link, s.st_name);
      // Only data has names that matter; sections are symbols too.
      if (name != nullptr && ELF64_ST_TYPE(s.st_info) != STT_SECTION) symbol.name = name;
      symbols_.push_back(std::move(symbol));
    }
  }
}

void ElfReader::read_kernels() {
  for (const Section& section : sections_) {
    if (!starts_with(section.name, kText) || section.header.sh_type != SHT_PROGBITS) continue;
    Kernel kernel;
    kernel.name = section.name.substr(kText.size());
    if (kernel.name.empty()) fail(section.name, "a kernel without name");
    if (section.bytes.empty() || section.bytes.size() % 4 != 0)
      fail(section.name, fmt::format("{} bytes are no code", section.bytes.size()));
    kernel.code = words_of(section.bytes, 0, section.bytes.size());
    kernel.registers = static_cast<unsigned>(section.header.sh_info >> kRegistersShift);
    kernel.barriers = static_cast<unsigned>(section.header.sh_flags >> kBarriersShift) & 0x1f;
    if (kernel.registers > 128)
      fail(section.name, fmt::format("{} registers per thread", kernel.registers), "at most 128");
    if (kernel_named(kernel.name) != nullptr) fail(section.name, "appears twice");
    module_.kernels.push_back(std::move(kernel));
  }
}

Kernel* ElfReader::kernel_named(std::string_view name) {
  for (Kernel& kernel : module_.kernels)
    if (kernel.name == name) return &kernel;
  return nullptr;
}

uint32_t ElfReader::checked_size(const Section& section, uint64_t maximum) {
  if (section.header.sh_size > maximum)
    fail(section.name, fmt::format("{} bytes", section.header.sh_size),
         fmt::format("at most {}", maximum));
  return static_cast<uint32_t>(section.header.sh_size);
}

void ElfReader::read_kernel_memory() {
  for (const Section& section : sections_) {
    const auto of = [&](std::string_view prefix) {
      return starts_with(section.name, prefix)
                 ? kernel_named(std::string_view(section.name).substr(prefix.size()))
                 : nullptr;
    };
    if (Kernel* kernel = of(kShared)) kernel->shared_bytes = checked_size(section, 0x10000);
    if (Kernel* kernel = of(kLocal)) kernel->local_bytes = checked_size(section, 0x1000000);
    if (Kernel* kernel = of(kInfo)) read_parameters(section, *kernel);
  }
  for (const Section& section : sections_)
    if (section.name == kModuleInfo) read_frame_sizes(section);
  // The size of .nv.shared.NAME includes header and parameters, as "smem" of the text form does;
  // a smaller one (or none) counts variables only.
  for (Kernel& kernel : module_.kernels) {
    const uint32_t used = kSharedHeaderBytes + kernel.parameter_bytes.value_or(0);
    if (kernel.shared_bytes < used) kernel.shared_bytes += used;
  }
}

// Calls visit(format, attribute, 16-bit value, offset of what follows).
template <typename Visit>
void ElfReader::for_each_attribute(const Section& section, const Visit& visit) {
  const std::string_view bytes = section.bytes;
  for (std::size_t at = 0; at + 4 <= bytes.size();) {
    const uint32_t head = word_at(bytes, at);
    const uint8_t format = static_cast<uint8_t>(head);
    const uint32_t value = head >> 16;
    if (format == 0 || format > kFormatSized)
      fail(section.name, fmt::format("unknown attribute format {} at {:#x}", format, at));
    if (format == kFormatSized && value > bytes.size() - at - 4)
      fail(section.name, fmt::format("attribute at {:#x} reaches beyond the section", at));
    visit(format, static_cast<uint8_t>(head >> 8), value, at + 4);
    at += 4 + (format == kFormatSized ? value : 0);
  }
}

void ElfReader::read_parameters(const Section& section, Kernel& kernel) {
  for_each_attribute(section, [&](uint8_t format, uint8_t attribute, uint32_t value, std::size_t) {
    if (format == kFormatHalf &&
        (attribute == kSharedParameterSize || attribute == kConstantParameterSize))
      kernel.parameter_bytes = value;
  });
}

// Local memory of kernels that have no section for it.
void ElfReader::read_frame_sizes(const Section& section) {
  for_each_attribute(
      section, [&](uint8_t format, uint8_t attribute, uint32_t size, std::size_t at) {
        if (format != kFormatSized || attribute != kFrameSize || size < 8) return;
        const uint32_t symbol = word_at(section.bytes, at);
        const uint32_t bytes = word_at(section.bytes, at + 4);
        Kernel* kernel = symbol < symbols_.size() ? kernel_named(symbols_[symbol].name) : nullptr;
        if (bytes > 0x1000000) fail(section.name, fmt::format("{} bytes of local memory", bytes));
        if (kernel != nullptr && kernel->local_bytes == 0) kernel->local_bytes = bytes;
      });
}

void ElfReader::read_constants(std::size_t index) {
  const Section& section = sections_[index];
  const std::string_view rest = std::string_view(section.name).substr(kConstant.size());
  unsigned bank = 0;
  std::size_t digits = 0;
  while (digits < rest.size() && digits < 3 && rest[digits] >= '0' && rest[digits] <= '9')
    bank = bank * 10 + static_cast<unsigned>(rest[digits++] - '0');
  if (digits == 0 || bank > 15) fail(section.name, "no constant bank", "there are banks 0 to 15");
  if (digits == rest.size()) {
    if (bank != 14) add_constants(index, bank, module_.constants);  // 14: addresses, see below
    return;
  }
  if (rest[digits] != '.') fail(section.name, "no constant bank");
  Kernel* kernel = kernel_named(rest.substr(digits + 1));
  if (kernel == nullptr) fail(section.name, "constants of a kernel that is not in this file");
  add_constants(index, bank, kernel->constants);
}

// One segment for each symbol, and for what lies between them.
void ElfReader::add_constants(std::size_t index, unsigned bank, std::vector<ConstantSegment>& to) {
  const Section& section = sections_[index];
  const uint32_t size = checked_size(section, 0x10000);
  std::vector<const Symbol*> names;
  for (const Symbol& symbol : symbols_)
    if (symbol.section == index && !symbol.name.empty() && symbol.size != 0 &&
        symbol.value % 4 == 0 && symbol.value <= size && symbol.size <= size - symbol.value)
      names.push_back(&symbol);
  std::sort(names.begin(), names.end(),
            [](const Symbol* a, const Symbol* b) { return a->value < b->value; });
  uint32_t position = 0;
  const auto add = [&](const std::string& name, uint32_t offset, uint32_t bytes) {
    if (bytes != 0)
      to.push_back(
          ConstantSegment{name, bank, offset, bytes, words_of(section.bytes, offset, bytes)});
  };
  for (const Symbol* symbol : names) {
    const uint32_t offset = static_cast<uint32_t>(symbol->value);
    const uint32_t bytes = static_cast<uint32_t>(symbol->size);
    if (offset < position) continue;  // two names for the same place
    add("", position, offset - position);
    add(symbol->name, offset, bytes);
    position = std::min(size, (offset + bytes + 3) & ~3u);
  }
  add("", position, size - position);
}

void ElfReader::read_relocations() {
  const bool is_64 = gelf_getclass(elf_.get()) == ELFCLASS64;
  for (const Section& section : sections_) {
    if (section.header.sh_type != SHT_REL || !starts_with(section.name, kRelocations)) continue;
    const std::string_view digits = std::string_view(section.name).substr(kRelocations.size());
    if (digits != "14") fail(section.name, "only addresses in bank 14 are relocated");
    const std::size_t size = is_64 ? 16 : 8;
    for (std::size_t at = 0; at + size <= section.bytes.size(); at += size) {
      const uint32_t offset = word_at(section.bytes, at);
      const uint32_t info = word_at(section.bytes, at + (is_64 ? 12 : 4));
      const std::size_t number = is_64 ? info : info >> 8;
      if (number >= symbols_.size() || symbols_[number].section >= sections_.size())
        fail(section.name,
             fmt::format("relocation at {:#x} names symbol {}, which does not exist", at, number));
      if (offset % 4 != 0 || offset > 0xfffc)
        fail(section.name,
             fmt::format("relocation of {:#x}, not a word of a constant bank", offset));
      const Symbol& symbol = symbols_[number];
      const Section& home = sections_[symbol.section];
      if (symbol.size > 0x10000000)
        fail(section.name, fmt::format("variable {} of {} bytes", symbol.name, symbol.size));
      Relocation relocation{symbol.name, 14, offset, static_cast<uint32_t>(symbol.size), {}};
      const bool initialised =
          symbol.value <= home.bytes.size() && symbol.size <= home.bytes.size() - symbol.value;
      if (initialised && !home.bytes.empty())
        relocation.words = words_of(home.bytes, symbol.value, symbol.size);
      module_.relocations.push_back(std::move(relocation));
    }
  }
}

// The symbol that each word of .debug_line is relocated by.
std::map<std::size_t, std::size_t> ElfReader::relocated_lines() const {
  std::map<std::size_t, std::size_t> symbol_of;
  const std::size_t size = gelf_getclass(elf_.get()) == ELFCLASS64 ? 16 : 8;
  for (const Section& section : sections_) {
    if (section.header.sh_type != SHT_REL || section.name != kDebugLineRelocations) continue;
    for (std::size_t at = 0; at + size <= section.bytes.size(); at += size) {
      const uint32_t info = word_at(section.bytes, at + size - 4);
      const std::size_t symbol = size == 16 ? info : info >> 8;
      if (symbol < symbols_.size()) symbol_of[word_at(section.bytes, at)] = symbol;
    }
  }
  return symbol_of;
}

void ElfReader::read_lines() {
  const std::map<std::size_t, std::size_t> symbol_of = relocated_lines();
  for (const Section& section : sections_) {
    if (section.name != kDebugLine) continue;
    std::string problem;
    for (const LineSequence& sequence : read_line_programs(section.bytes, &problem)) {
      const auto found = symbol_of.find(sequence.address_at);
      Kernel* kernel = module_.kernels.size() == 1 ? &module_.kernels.front() : nullptr;
      if (found != symbol_of.end()) {
        const std::size_t home = symbols_[found->second].section;
        const std::string name = home < sections_.size() ? std::string(sections_[home].name) : "";
        kernel = starts_with(name, kText) ? kernel_named(name.substr(kText.size())) : nullptr;
      }
      if (kernel == nullptr) continue;  // of code that is no kernel's
      for (const LineTable::Row& row : sequence.lines.rows()) {
        const bool behind =
            kernel->lines.empty() || row.address >= kernel->lines.rows().back().address;
        if (row.address / 4 >= kernel->code.size() || !behind) continue;
        kernel->lines.add(row.address, kernel->lines.file(sequence.lines.files()[row.file]),
                          row.line);
      }
    }
    if (!problem.empty()) fail(section.name, problem, "the file is damaged");
  }
}

}  // namespace

Module parse_elf_cubin(std::string_view contents, const std::string& file) {
  return ElfReader(contents, file).run();
}

}  // namespace gvp::gpgpu::g80
