// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/code_object.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "models/base/error.h"

namespace gvp::gpgpu::southern_islands {
namespace {

constexpr unsigned kMachineAmdGpu = 224;  // EM_AMDGPU
constexpr uint32_t kMachineMask = 0xff;   // EF_AMDGPU_MACH
constexpr uint32_t kGfx600 = 0x20;        // EF_AMDGPU_MACH_AMDGCN_GFX600..GFX602: Tahiti and
constexpr uint32_t kGfx601 = 0x21;        // its sisters execute the same instructions
constexpr uint32_t kGfx602 = 0x3a;
constexpr const char* kCompileAgain =
    "compile it with oclc, or clang-14 -target amdgcn-- -mcpu=tahiti";

constexpr uint32_t kMostCodeBytes = 16u << 20;
constexpr uint32_t kMostTableBytes = 16u << 20;
constexpr uint64_t kMostAlignment = 256;

// Kinds of relocations (LLVM's "User Guide for AMDGPU Backend").
constexpr uint32_t kAbsoluteLow = 1;
constexpr uint32_t kAbsoluteHigh = 2;
constexpr uint32_t kAbsolute = 3;    // 64 bits
constexpr uint32_t kPointerLow = 8;  // the distance to a pointer
constexpr uint32_t kPointerHigh = 9;
constexpr uint32_t kRelativeLow = 10;
constexpr uint32_t kRelativeHigh = 11;

// Registers of .AMDGPU.config.
constexpr uint32_t kResource1 = 0xb848;    // COMPUTE_PGM_RSRC1
constexpr uint32_t kResource2 = 0xb84c;    // COMPUTE_PGM_RSRC2
constexpr uint32_t kScratchSize = 0xb860;  // COMPUTE_TMPRING_SIZE
constexpr uint32_t kSpilledScalars = 4;    // no registers: what LLVM tells besides
constexpr uint32_t kSpilledVectors = 8;

constexpr uint32_t field(uint32_t value, unsigned first, unsigned count) {
  return value >> first & ((1u << count) - 1);
}

struct Section {
  std::string name;
  Elf64_Shdr header{};
  std::string_view bytes;  // empty for SHT_NOBITS
};

struct Symbol {
  Elf64_Sym entry{};
  std::string name;
};

class Reader {
 public:
  Reader(std::string_view contents, const std::string& file) : contents_(contents), file_(file) {}

  CodeObject run() {
    open();
    read_sections();
    read_code();
    read_tables();
    read_kernels();
    read_configuration();
    read_arguments();
    read_relocations();
    return std::move(object_);
  }

 private:
  void open();
  void read_sections();
  void read_code();
  void read_kernels();
  void read_configuration();
  void configure(ObjectKernel& kernel, uint32_t reg, uint32_t value) const;
  void drop_functions();
  void read_arguments();
  void read_tables();
  void read_relocations();
  void relocate_code(uint64_t offset, uint32_t kind, uint32_t place);
  void relocate_table(std::size_t section, uint64_t offset, uint32_t place);
  std::optional<uint32_t> place_of(const std::optional<Symbol>& symbol) const;
  uint32_t pointer_to(uint32_t place);
  [[noreturn]] void refuse(uint64_t offset, const std::string& symbol) const;
  const Section* find(std::string_view name) const;
  template <typename Visit>
  void for_each_symbol(const Visit& visit) const;
  std::optional<Symbol> symbol_at(std::size_t table, std::size_t number) const;
  std::string name_of_kernel_at(uint64_t offset) const;

  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const {
    throw bad_input(what, {file_, 0, 0}, remedy);
  }

  std::string_view contents_;
  const std::string& file_;
  Elf64_Ehdr header_{};
  std::vector<Section> sections_;
  std::size_t text_ = 0;                         // section
  std::map<std::size_t, uint32_t> table_begin_;  // by section: in the tables
  std::map<uint32_t, uint32_t> pointer_;         // by place in the tables
  CodeObject object_;
};

void Reader::open() {
  if (!is_elf(contents_)) fail("no ELF file", kCompileAgain);
  if (contents_.size() < sizeof header_) fail("not a complete ELF file");
  if (contents_[EI_DATA] != ELFDATA2LSB || contents_[EI_CLASS] != ELFCLASS64)
    fail("objects for AMD's GPUs are 64-bit little-endian ELF files, this one is not",
         kCompileAgain);
  std::memcpy(&header_, contents_.data(), sizeof header_);
  if (header_.e_machine != kMachineAmdGpu)
    fail(fmt::format("no code for AMD's GPUs (ELF machine {}, not {})", header_.e_machine,
                     kMachineAmdGpu),
         kCompileAgain);
  const uint32_t machine = header_.e_flags & kMachineMask;
  if (machine != kGfx600 && machine != kGfx601 && machine != kGfx602)
    fail(fmt::format(
             "code for another GPU than Southern Islands (ELF flags {:#x}, gfx600 has {:#x})",
             header_.e_flags, kGfx600),
         kCompileAgain);
  if (header_.e_type != ET_REL)
    fail("no relocatable object: linked code objects are of another kind", kCompileAgain);
}

// A text that ends with 0; "" where there is none.
std::string text_at(std::string_view table, uint64_t offset) {
  if (offset >= table.size()) return "";
  const std::string_view rest = table.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

void Reader::read_sections() {
  if (header_.e_shentsize != sizeof(Elf64_Shdr) || header_.e_shnum == 0 ||
      header_.e_shoff > contents_.size() ||
      header_.e_shnum > (contents_.size() - header_.e_shoff) / sizeof(Elf64_Shdr))
    fail(fmt::format("{} sections of {} bytes at {:#x} are not in the file of {} bytes",
                     header_.e_shnum, header_.e_shentsize, header_.e_shoff, contents_.size()),
         "the file is truncated or damaged");
  for (std::size_t n = 0; n < header_.e_shnum; ++n) {
    Section section;
    Elf64_Shdr& h = section.header;
    std::memcpy(&h, contents_.data() + header_.e_shoff + n * sizeof h, sizeof h);
    if (h.sh_type != SHT_NOBITS && h.sh_type != SHT_NULL) {
      if (h.sh_offset > contents_.size() || h.sh_size > contents_.size() - h.sh_offset)
        fail(fmt::format("section {}: {} bytes at {:#x} lie outside of the file of {} bytes", n,
                         h.sh_size, h.sh_offset, contents_.size()),
             "the file is truncated or damaged");
      section.bytes = contents_.substr(h.sh_offset, h.sh_size);
    }
    sections_.push_back(section);
  }
  if (header_.e_shstrndx >= sections_.size()) fail("the sections have no names");
  const std::string_view names = sections_[header_.e_shstrndx].bytes;
  for (Section& section : sections_) section.name = text_at(names, section.header.sh_name);
}

const Section* Reader::find(std::string_view name) const {
  const auto at = std::find_if(sections_.begin(), sections_.end(),
                               [&](const Section& each) { return each.name == name; });
  return at == sections_.end() ? nullptr : &*at;
}

void Reader::read_code() {
  const Section* text = find(".text");
  if (text == nullptr || text->bytes.empty()) fail("no code (section .text)", kCompileAgain);
  if (text->bytes.size() % 4 != 0 || text->bytes.size() > kMostCodeBytes)
    fail(fmt::format("section .text: {} bytes of code; a multiple of 4 up to {} is expected",
                     text->bytes.size(), kMostCodeBytes));
  text_ = static_cast<std::size_t>(text - sections_.data());
  object_.code.resize(text->bytes.size() / 4);
  std::memcpy(object_.code.data(), text->bytes.data(), text->bytes.size());
}

template <typename Visit>
void Reader::for_each_symbol(const Visit& visit) const {
  for (const Section& section : sections_) {
    if (section.header.sh_type != SHT_SYMTAB) continue;
    if (section.header.sh_link >= sections_.size())
      fail(fmt::format("section {}: its symbols have no names", section.name));
    const std::string_view names = sections_[section.header.sh_link].bytes;
    for (std::size_t n = 0; n < section.bytes.size() / sizeof(Elf64_Sym); ++n) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, section.bytes.data() + n * sizeof symbol, sizeof symbol);
      visit(n, symbol, text_at(names, symbol.st_name));
    }
  }
}

void Reader::read_kernels() {
  for_each_symbol([&](std::size_t, const Elf64_Sym& symbol, const std::string& name) {
    if (symbol.st_shndx != text_ || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) return;
    const uint64_t size = object_.code.size() * 4;
    if (name.empty()) fail("a kernel without a name");
    if (symbol.st_size == 0 || symbol.st_size % 4 != 0 || symbol.st_value % 4 != 0 ||
        symbol.st_value > size || symbol.st_size > size - symbol.st_value)
      fail(fmt::format("kernel {}: {} bytes at {:#x} are not whole words of the {} bytes of code",
                       name, symbol.st_size, symbol.st_value, size));
    ObjectKernel kernel;
    kernel.name = name;
    kernel.entry = static_cast<uint32_t>(symbol.st_value);
    kernel.bytes = static_cast<uint32_t>(symbol.st_size);
    object_.kernels.push_back(std::move(kernel));
  });
  if (object_.kernels.empty())
    fail("no kernel in this object", "a kernel is a function symbol in .text");
  std::sort(object_.kernels.begin(), object_.kernels.end(),
            [](const ObjectKernel& a, const ObjectKernel& b) { return a.entry < b.entry; });
  for (std::size_t n = 1; n < object_.kernels.size(); ++n) {
    const ObjectKernel& before = object_.kernels[n - 1];
    if (before.entry + before.bytes > object_.kernels[n].entry)
      fail(fmt::format("kernels {} and {} overlap at {:#x}", before.name, object_.kernels[n].name,
                       object_.kernels[n].entry));
  }
}

void Reader::read_configuration() {
  constexpr const char* kSection = ".AMDGPU.config";
  const Section* section = find(kSection);
  if (section == nullptr)
    fail(fmt::format("no section {}", kSection),
         "the target has to be amdgcn--, without an operating system");
  if (section->bytes.size() % 8 != 0)
    fail(
        fmt::format("section {}: {} bytes are no pairs of words", kSection, section->bytes.size()));
  std::size_t kernels = 0;
  for (std::size_t at = 0; at < section->bytes.size(); at += 8) {
    uint32_t pair[2];
    std::memcpy(pair, section->bytes.data() + at, sizeof pair);
    if (pair[0] == kResource1) ++kernels;
    if (kernels == 0)
      fail(fmt::format("section {}: begins with register {:#x}, not {:#x}", kSection, pair[0],
                       kResource1));
    if (kernels > object_.kernels.size()) break;
    configure(object_.kernels[kernels - 1], pair[0], pair[1]);
  }
  if (kernels == object_.kernels.size()) {
    drop_functions();
    return;
  }
  fail(fmt::format("section {} describes {} kernels, and there are {} functions", kSection, kernels,
                   object_.kernels.size()),
       kCompileAgain);
}

// Functions that kernels might call have entries, too, with nothing in them; those of kernels
// always have a mode for floats.
void Reader::drop_functions() {
  auto& all = object_.kernels;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const ObjectKernel& each) { return each.scalar_registers == 0; }),
            all.end());
  if (all.empty()) fail("no kernel in this object", kCompileAgain);
}

void Reader::configure(ObjectKernel& kernel, uint32_t reg, uint32_t value) const {
  const auto scratch = [&] {
    fail(fmt::format("kernel {}: needs private memory (scratch), which is not modelled",
                     kernel.name),
         "arrays of a work-item have to fit registers: index them with constants (#pragma unroll), "
         "or keep them in local memory");
  };
  switch (reg) {
    case kResource1:
      if (value == 0) return;
      kernel.vector_registers = (field(value, 0, 6) + 1) * 4;
      kernel.scalar_registers = (field(value, 6, 4) + 1) * 8;
      return;
    case kResource2:
      if (field(value, 0, 1) != 0) scratch();
      kernel.user_scalars = field(value, 1, 5);
      for (unsigned i = 0; i < 3; ++i) kernel.group_numbers[i] = field(value, 7 + i, 1) != 0;
      kernel.local_dimensions = field(value, 11, 2) + 1;
      kernel.share_bytes = field(value, 15, 9) * 256;
      if (kernel.user_scalars != 0 && kernel.user_scalars != 2)
        fail(fmt::format(
                 "kernel {}: expects {} scalar registers from its launcher; 0 or 2 are known, "
                 "the address of the arguments",
                 kernel.name, kernel.user_scalars),
             "the target has to be amdgcn--, without an operating system");
      if (field(value, 10, 1) != 0 || kernel.local_dimensions > 3)
        fail(fmt::format("kernel {}: COMPUTE_PGM_RSRC2 is {:#x}, which asks for what is not known",
                         kernel.name, value),
             kCompileAgain);
      return;
    case kScratchSize:
      if (value != 0) scratch();
      return;
    case kSpilledScalars:
    case kSpilledVectors:
      return;
    default:
      fail(fmt::format("kernel {}: section .AMDGPU.config sets register {:#x}, which is not known",
                       kernel.name, reg),
           kCompileAgain);
  }
}

void Reader::read_arguments() {
  const Section* section = find(kArgumentSection);
  if (section == nullptr) return;
  for (const KernelArguments& each : parse_arguments(section->bytes, file_)) {
    for (ObjectKernel& kernel : object_.kernels)
      if (kernel.name == each.kernel) kernel.arguments = each;
  }
}

std::optional<Symbol> Reader::symbol_at(std::size_t table, std::size_t number) const {
  if (table >= sections_.size() || sections_[table].header.sh_type != SHT_SYMTAB)
    return std::nullopt;
  const Section& section = sections_[table];
  if (number >= section.bytes.size() / sizeof(Elf64_Sym)) return std::nullopt;
  Symbol symbol;
  std::memcpy(&symbol.entry, section.bytes.data() + number * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
  if (section.header.sh_link < sections_.size())
    symbol.name = text_at(sections_[section.header.sh_link].bytes, symbol.entry.st_name);
  return symbol;
}

std::string Reader::name_of_kernel_at(uint64_t offset) const {
  for (const ObjectKernel& kernel : object_.kernels)
    if (offset >= kernel.entry && offset - kernel.entry < kernel.bytes) return kernel.name;
  return "?";
}

// One behind the other, each at a multiple of what it asks for.
void Reader::read_tables() {
  for (std::size_t n = 0; n < sections_.size(); ++n) {
    const Section& section = sections_[n];
    const bool is_table = section.name.rfind(".rodata", 0) == 0 ||
                          section.name.rfind(".data.rel.ro", 0) == 0;  // of addresses
    if (!is_table || section.header.sh_type != SHT_PROGBITS) continue;
    const uint64_t alignment = std::max<uint64_t>(section.header.sh_addralign, 1);
    if ((alignment & (alignment - 1)) != 0 || alignment > kMostAlignment)
      fail(
          fmt::format("section {}: tables at multiples of {} bytes; a power of two up to {} is "
                      "possible",
                      section.name, alignment, kMostAlignment));
    std::vector<uint8_t>& all = object_.tables;
    all.resize((all.size() + alignment - 1) / alignment * alignment);
    if (section.bytes.size() > kMostTableBytes - std::min<std::size_t>(all.size(), kMostTableBytes))
      fail(fmt::format("section {}: more than {} bytes of tables", section.name, kMostTableBytes));
    table_begin_[n] = static_cast<uint32_t>(all.size());
    all.insert(all.end(), section.bytes.begin(), section.bytes.end());
  }
}

// Of the code, and of the tables; those of other sections do not matter.
void Reader::read_relocations() {
  for (const Section& section : sections_) {
    const bool with_addend = section.header.sh_type == SHT_RELA;
    if (section.header.sh_type != SHT_REL && !with_addend) continue;
    const bool of_code = section.header.sh_info == text_;
    const auto table = table_begin_.find(section.header.sh_info);
    if (!of_code && table == table_begin_.end()) continue;
    const std::size_t size = with_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    for (std::size_t at = 0; at + size <= section.bytes.size(); at += size) {
      Elf64_Rel each;  // Rela begins alike
      std::memcpy(&each, section.bytes.data() + at, sizeof each);
      const auto kind = static_cast<uint32_t>(ELF64_R_TYPE(each.r_info));
      const auto symbol = symbol_at(section.header.sh_link, ELF64_R_SYM(each.r_info));
      const auto place = place_of(symbol);
      if (of_code) {
        if (with_addend || !place) refuse(each.r_offset, symbol ? symbol->name : "");
        relocate_code(each.r_offset, kind, *place);
      } else {
        if (with_addend || !place || kind != kAbsolute)
          fail(fmt::format("section {}: a table with the address of {}, which is in no table",
                           sections_[table->first].name, symbol ? symbol->name : "nothing"));
        relocate_table(table->first, each.r_offset, *place);
      }
    }
  }
}

// Of a symbol, in the tables; nothing: it is elsewhere.
std::optional<uint32_t> Reader::place_of(const std::optional<Symbol>& symbol) const {
  if (!symbol) return std::nullopt;
  const auto table = table_begin_.find(symbol->entry.st_shndx);
  if (table == table_begin_.end() || symbol->entry.st_value > sections_[table->first].bytes.size())
    return std::nullopt;
  return table->second + static_cast<uint32_t>(symbol->entry.st_value);
}

// A pointer to that place behind the tables, for code that looks it up there.
uint32_t Reader::pointer_to(uint32_t place) {
  const auto known = pointer_.find(place);
  if (known != pointer_.end()) return known->second;
  object_.tables.resize((object_.tables.size() + 7) / 8 * 8 + 8);
  const auto offset = static_cast<uint32_t>(object_.tables.size() - 8);
  object_.pointers.push_back({offset, place});
  return pointer_[place] = offset;
}

// What has been added stands in the code.
void Reader::relocate_code(uint64_t offset, uint32_t kind, uint32_t place) {
  if (offset % 4 != 0 || offset / 4 >= object_.code.size())
    fail(fmt::format("a relocation at {:#x} is not of a word of the code", offset),
         "the file is truncated or damaged");
  const bool absolute = kind == kAbsoluteLow || kind == kAbsoluteHigh;
  const bool high = kind == kAbsoluteHigh || kind == kRelativeHigh || kind == kPointerHigh;
  if (kind == kPointerLow || kind == kPointerHigh)
    place = pointer_to(place);
  else if (!absolute && kind != kRelativeLow && kind != kRelativeHigh)
    fail(fmt::format("kernel {}: the code at {:#x} has a relocation of kind {}, which is not known",
                     name_of_kernel_at(offset), offset, kind),
         kCompileAgain);
  const auto added = static_cast<int32_t>(object_.code[offset / 4]);
  object_.relocations.push_back(
      {static_cast<uint32_t>(offset), int64_t{place} + added, !absolute, high});
}

void Reader::relocate_table(std::size_t section, uint64_t offset, uint32_t place) {
  const std::size_t size = sections_[section].bytes.size();
  if (size < 8 || offset > size - 8)
    fail(fmt::format("section {}: a relocation at {:#x} lies outside of it",
                     sections_[section].name, offset),
         "the file is truncated or damaged");
  const uint32_t at = table_begin_[section] + static_cast<uint32_t>(offset);
  int32_t added = 0;  // tables are smaller
  std::memcpy(&added, object_.tables.data() + at, sizeof added);
  object_.pointers.push_back({at, int64_t{place} + added});
}

void Reader::refuse(uint64_t offset, const std::string& symbol) const {
  fail(
      fmt::format("kernel {}: the code at {:#x} has to be relocated ({})",
                  name_of_kernel_at(offset), offset, symbol.empty() ? "an unnamed symbol" : symbol),
      symbol.rfind("SCRATCH", 0) == 0
          ? "arrays of a work-item have to fit registers: index them with constants (#pragma "
            "unroll), or keep them in local memory"
          : "functions that are not inlined and variables lie outside of the kernel: make "
            "functions "
            "inline, and pass data as arguments");
}

}  // namespace

bool is_elf(std::string_view contents) {
  return contents.substr(0, 4) ==
         "\x7f"
         "ELF";
}

const ObjectKernel& CodeObject::kernel(const std::string& name, const std::string& file) const {
  if (name.empty() && kernels.size() == 1) return kernels.front();
  std::string known;
  for (const ObjectKernel& each : kernels) {
    if (each.name == name) return each;
    known += (known.empty() ? "" : ", ") + each.name;
  }
  throw bad_input(name.empty() ? "several kernels" : fmt::format("no kernel {}", name),
                  {file, 0, 0}, "name one by --kernel: " + known);
}

void CodeObject::place(uint32_t tables_address) {
  for (const Relocation& each : relocations) {
    const int64_t value = each.target + int64_t{tables_address} - (each.relative ? each.offset : 0);
    code[each.offset / 4] = static_cast<uint32_t>(each.high ? value >> 32 : value);
  }
  for (const TablePointer& each : pointers) {
    const int64_t value = each.target + int64_t{tables_address};
    std::memcpy(tables.data() + each.offset, &value, sizeof value);
  }
}

CodeObject read_code_object(std::string_view contents, const std::string& file) {
  return Reader(contents, file).run();
}

}  // namespace gvp::gpgpu::southern_islands
