// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/cubin_elf.h"
#include "models/gpgpu/g80/line_program.h"

namespace gvp::gpgpu::g80 {
namespace {

using namespace cubin_elf;
using Bytes = std::vector<uint8_t>;

template <typename T>
void append(Bytes& bytes, const T& value) {  // host and file are little-endian
  const auto* first = reinterpret_cast<const uint8_t*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof value);
}

class StringTable {
 public:
  uint32_t add(const std::string& text) {
    const auto offset = static_cast<uint32_t>(bytes_.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    bytes_.push_back(0);
    return offset;
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_ = {0};
};

struct OutputSection {
  std::string name;
  Elf32_Shdr header{};
  Bytes bytes;
};

class ElfWriter {
 public:
  explicit ElfWriter(const Module& module) : module_(module) {}
  Bytes run();

 private:
  uint32_t add(const std::string& name, uint32_t type, Bytes bytes);
  void add_symbol(const std::string& name, uint32_t value, uint32_t size, unsigned char info,
                  unsigned char other, uint32_t section);
  void add_kernel(const Kernel& kernel);
  void add_constants(const std::string& suffix, const std::vector<ConstantSegment>& segments);
  void add_globals();
  void add_lines();
  Bytes finish();
  unsigned architecture() const;

  const Module& module_;
  std::vector<OutputSection> sections_;
  StringTable names_;
  StringTable section_names_;
  std::vector<Elf32_Sym> symbols_;
  std::vector<std::size_t> kernel_symbols_;  // in the order of the module
  uint32_t symbol_table_ = 0;
};

unsigned ElfWriter::architecture() const {
  if (module_.architecture.compare(0, 3, "sm_") == 0 && module_.architecture.size() == 5)
    return static_cast<unsigned>(module_.architecture[3] - '0') * 10 +
           static_cast<unsigned>(module_.architecture[4] - '0');
  throw bad_input(fmt::format("unknown architecture {}", module_.architecture));
}

uint32_t ElfWriter::add(const std::string& name, uint32_t type, Bytes bytes) {
  OutputSection section;
  section.name = name;
  section.header.sh_type = type;
  section.header.sh_addralign = 4;
  section.header.sh_size = static_cast<Elf32_Word>(bytes.size());
  section.bytes = std::move(bytes);
  sections_.push_back(std::move(section));
  return static_cast<uint32_t>(sections_.size() - 1);
}

void ElfWriter::add_symbol(const std::string& name, uint32_t value, uint32_t size,
                           unsigned char info, unsigned char other, uint32_t section) {
  Elf32_Sym symbol{};
  symbol.st_name = names_.add(name);
  symbol.st_value = value;
  symbol.st_size = size;
  symbol.st_info = info;
  symbol.st_other = other;
  symbol.st_shndx = static_cast<Elf32_Half>(section);
  symbols_.push_back(symbol);
}

void ElfWriter::add_kernel(const Kernel& kernel) {
  Bytes code;
  for (const uint32_t word : kernel.code) append(code, word);
  const uint32_t text = add(std::string(kText) + kernel.name, SHT_PROGBITS, std::move(code));
  add_symbol(kernel.name, 0, sections_[text].header.sh_size, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
             kEntry, text);
  kernel_symbols_.push_back(symbols_.size() - 1);
  Elf32_Shdr& header = sections_[text].header;
  header.sh_flags = SHF_ALLOC | SHF_EXECINSTR | kernel.barriers << kBarriersShift;
  header.sh_info =
      kernel.registers << kRegistersShift | static_cast<Elf32_Word>(symbols_.size() - 1);
  header.sh_link = symbol_table_;

  const auto reserve = [&](std::string_view prefix, uint32_t bytes) {
    const uint32_t section = add(std::string(prefix) + kernel.name, SHT_NOBITS, {});
    sections_[section].header.sh_size = bytes;
    sections_[section].header.sh_flags = SHF_ALLOC | SHF_WRITE;
    sections_[section].header.sh_info = text;
  };
  reserve(kShared, kernel.shared_bytes);
  if (kernel.local_bytes != 0) reserve(kLocal, kernel.local_bytes);
  Bytes info;
  if (kernel.parameter_bytes)
    append(info, kFormatHalf | static_cast<uint32_t>(kSharedParameterSize) << 8 |
                     *kernel.parameter_bytes << 16);
  const uint32_t section = add(std::string(kInfo) + kernel.name, kSectionInfo, std::move(info));
  sections_[section].header.sh_info = text;
  add_constants("." + kernel.name, kernel.constants);
}

void ElfWriter::add_constants(const std::string& suffix,
                              const std::vector<ConstantSegment>& segments) {
  std::map<unsigned, Bytes> banks;
  for (const ConstantSegment& s : segments) {
    Bytes& bank = banks[s.bank];
    bank.resize(std::max<std::size_t>(
        bank.size(), s.offset + std::max<std::size_t>(s.bytes, s.words.size() * 4)));
    if (!s.words.empty()) std::memcpy(bank.data() + s.offset, s.words.data(), s.words.size() * 4);
  }
  for (auto& bank : banks) {
    const uint32_t section = add(fmt::format("{}{}{}", kConstant, bank.first, suffix), SHT_PROGBITS,
                                 std::move(bank.second));
    sections_[section].header.sh_flags = SHF_ALLOC;
    for (const ConstantSegment& s : segments)
      if (s.bank == bank.first && !s.name.empty())
        add_symbol(s.name, s.offset, s.bytes, ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, section);
  }
}

// Variables in global memory, and the words of c14 that receive their addresses.
void ElfWriter::add_globals() {
  if (module_.relocations.empty()) return;
  const bool initialised = std::any_of(module_.relocations.begin(), module_.relocations.end(),
                                       [](const Relocation& r) { return !r.words.empty(); });
  Bytes contents;
  uint32_t size = 0;
  std::vector<uint32_t> places;
  Bytes addresses;
  for (const Relocation& r : module_.relocations) {
    places.push_back(size);
    size += (r.bytes + 15) & ~15u;
    if (initialised) {
      contents.resize(size);
      const std::size_t bytes = std::min<std::size_t>(r.words.size() * 4, size - places.back());
      if (bytes != 0) std::memcpy(contents.data() + places.back(), r.words.data(), bytes);
    }
    addresses.resize(std::max<std::size_t>(addresses.size(), r.offset + 4));
  }
  const uint32_t home = add(std::string(initialised ? kGlobalInit : kGlobal),
                            initialised ? SHT_PROGBITS : SHT_NOBITS, std::move(contents));
  sections_[home].header.sh_size = size;
  sections_[home].header.sh_flags = SHF_ALLOC | SHF_WRITE;
  const uint32_t bank = add(std::string(kConstant) + "14", SHT_PROGBITS, std::move(addresses));
  sections_[bank].header.sh_flags = SHF_ALLOC;
  Bytes entries;
  for (std::size_t n = 0; n < module_.relocations.size(); ++n) {
    const Relocation& r = module_.relocations[n];
    add_symbol(r.name, places[n], r.bytes, ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT), 0, home);
    append(entries, Elf32_Rel{r.offset,
                              static_cast<Elf32_Word>((symbols_.size() - 1) << 8 | kRelocateWord)});
  }
  const uint32_t section = add(std::string(kRelocations) + "14", SHT_REL, std::move(entries));
  sections_[section].header.sh_link = symbol_table_;
  sections_[section].header.sh_info = bank;
  sections_[section].header.sh_entsize = sizeof(Elf32_Rel);
}

void ElfWriter::add_lines() {
  Bytes programs;
  Bytes entries;
  for (std::size_t n = 0; n < module_.kernels.size(); ++n) {
    const Kernel& kernel = module_.kernels[n];
    if (kernel.lines.empty()) continue;
    const auto bytes = static_cast<uint32_t>(4 * kernel.code.size());
    const std::size_t place = append_line_program(kernel.lines, bytes, programs);
    append(entries, Elf32_Rel{static_cast<Elf32_Addr>(place),
                              static_cast<Elf32_Word>(kernel_symbols_[n] << 8 | kRelocateWord)});
  }
  if (programs.empty()) return;
  const uint32_t lines = add(std::string(kDebugLine), SHT_PROGBITS, std::move(programs));
  sections_[lines].header.sh_addralign = 1;
  const uint32_t section = add(std::string(kDebugLineRelocations), SHT_REL, std::move(entries));
  sections_[section].header.sh_link = symbol_table_;
  sections_[section].header.sh_info = lines;
  sections_[section].header.sh_entsize = sizeof(Elf32_Rel);
}

Bytes ElfWriter::run() {
  sections_.emplace_back();  // the null section
  const uint32_t section_names = add(".shstrtab", SHT_STRTAB, {});
  const uint32_t strings = add(".strtab", SHT_STRTAB, {});
  symbol_table_ = add(".symtab", SHT_SYMTAB, {});
  symbols_.emplace_back();
  for (const Kernel& kernel : module_.kernels) add_kernel(kernel);
  add_constants("", module_.constants);
  add_globals();
  add_lines();
  add(std::string(kModuleInfo), kSectionInfo, {});

  Bytes table;
  for (const Elf32_Sym& symbol : symbols_) append(table, symbol);
  Elf32_Shdr& header = sections_[symbol_table_].header;
  header.sh_size = static_cast<Elf32_Word>(table.size());
  header.sh_link = strings;
  header.sh_info = 1;
  header.sh_entsize = sizeof(Elf32_Sym);
  sections_[symbol_table_].bytes = std::move(table);
  for (OutputSection& section : sections_)
    if (!section.name.empty()) section.header.sh_name = section_names_.add(section.name);
  sections_[strings].bytes = names_.bytes();
  sections_[section_names].bytes = section_names_.bytes();
  for (const uint32_t n : {strings, section_names})
    sections_[n].header.sh_size = static_cast<Elf32_Word>(sections_[n].bytes.size());
  return finish();
}

Bytes ElfWriter::finish() {
  Bytes file(sizeof(Elf32_Ehdr));
  for (OutputSection& section : sections_) {
    while (file.size() % 8 != 0) file.push_back(0);
    if (section.header.sh_type != SHT_NULL)
      section.header.sh_offset = static_cast<Elf32_Off>(file.size());
    file.insert(file.end(), section.bytes.begin(), section.bytes.end());
  }
  while (file.size() % 8 != 0) file.push_back(0);
  Elf32_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS32;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_ident[EI_OSABI] = 0x33;  // NVIDIA's
  header.e_type = ET_EXEC;
  header.e_machine = kMachineCuda;
  header.e_version = EV_CURRENT;
  header.e_flags = architecture() << 16 | architecture();
  header.e_ehsize = sizeof header;
  header.e_shoff = static_cast<Elf32_Off>(file.size());
  header.e_shentsize = sizeof(Elf32_Shdr);
  header.e_shnum = static_cast<Elf32_Half>(sections_.size());
  header.e_shstrndx = 1;
  for (const OutputSection& section : sections_) append(file, section.header);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

}  // namespace

std::vector<uint8_t> to_elf_cubin(const Module& module) { return ElfWriter(module).run(); }

}  // namespace gvp::gpgpu::g80
