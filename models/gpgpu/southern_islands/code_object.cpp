// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/code_object.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
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

class Reader {
 public:
  Reader(std::string_view contents, const std::string& file) : contents_(contents), file_(file) {}

  CodeObject run() {
    open();
    read_sections();
    read_code();
    read_kernels();
    read_configuration();
    read_arguments();
    refuse_relocations();
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
  void refuse_relocations() const;
  const Section* find(std::string_view name) const;
  template <typename Visit>
  void for_each_symbol(const Visit& visit) const;
  std::string symbol_name(std::size_t number) const;
  std::string name_of_kernel_at(uint64_t offset) const;

  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "") const {
    throw bad_input(what, {file_, 0, 0}, remedy);
  }

  std::string_view contents_;
  const std::string& file_;
  Elf64_Ehdr header_{};
  std::vector<Section> sections_;
  std::size_t text_ = 0;  // section
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

std::string Reader::symbol_name(std::size_t number) const {
  std::string found;
  for_each_symbol([&](std::size_t n, const Elf64_Sym&, const std::string& name) {
    if (n == number) found = name;
  });
  return found;
}

std::string Reader::name_of_kernel_at(uint64_t offset) const {
  for (const ObjectKernel& kernel : object_.kernels)
    if (offset >= kernel.entry && offset - kernel.entry < kernel.bytes) return kernel.name;
  return "?";
}

// Code that refers to what it does not contain.
void Reader::refuse_relocations() const {
  for (const Section& section : sections_) {
    const bool with_addend = section.header.sh_type == SHT_RELA;
    if (section.header.sh_type != SHT_REL && !with_addend) continue;
    if (section.header.sh_info != text_) continue;
    const std::size_t size = with_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    if (section.bytes.size() < size) continue;
    Elf64_Rel first;  // Rela begins alike
    std::memcpy(&first, section.bytes.data(), sizeof first);
    const std::string name = symbol_name(ELF64_R_SYM(first.r_info));
    fail(
        fmt::format("kernel {}: the code at {:#x} has to be relocated ({})",
                    name_of_kernel_at(first.r_offset), first.r_offset,
                    name.empty() ? "an unnamed symbol" : name),
        name.rfind("SCRATCH", 0) == 0
            ? "arrays of a work-item have to fit registers: index them with constants (#pragma "
              "unroll), or keep them in local memory"
            : "tables (constant ... = {...}) and functions that are not inlined lie outside of the "
              "kernel: pass tables as arguments");
  }
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

CodeObject read_code_object(std::string_view contents, const std::string& file) {
  return Reader(contents, file).run();
}

}  // namespace gvp::gpgpu::southern_islands
