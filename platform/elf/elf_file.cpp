// SPDX-License-Identifier: Apache-2.0
#include "platform/elf/elf_file.h"

#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "models/base/error.h"
#include "models/base/files.h"

namespace gvp::platform {
namespace {

constexpr unsigned kMachineMicroblaze = 189;        // EM_MICROBLAZE
constexpr unsigned kMachineMicroblazeOld = 0xbaab;  // before the official number
constexpr size_t kMaximumNameBytes = 4096;          // of a symbol; longer ones are cut

constexpr const char* kBuildRemedy = "build it for microblazeel-xilinx-elf, see docs/firmware.md";

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386:
      return "x86";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
      return "ARM";
    case EM_AARCH64:
      return "AArch64";
    case EM_RISCV:
      return "RISC-V";
    case EM_MIPS:
      return "MIPS";
    case EM_PPC:
      return "PowerPC";
    default:
      return fmt::format("machine {}", machine);
  }
}

GElf_Ehdr checked_header(Elf* elf, const std::string& name) {
  GElf_Ehdr header;
  if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr)
    throw bad_input("not an ELF file", {name}, kBuildRemedy);
  if (header.e_machine != kMachineMicroblaze && header.e_machine != kMachineMicroblazeOld)
    throw bad_input(fmt::format("built for {}, not for MicroBlaze", machine_name(header.e_machine)),
                    {name}, kBuildRemedy);
  if (gelf_getclass(elf) != ELFCLASS32)
    throw bad_input("a 64-bit ELF file; the MicroBlaze model is 32 bit", {name}, kBuildRemedy);
  if (header.e_type != ET_EXEC)
    throw bad_input(header.e_type == ET_REL ? "a relocatable object, not an executable"
                                            : "not an executable (ET_EXEC)",
                    {name}, "link it first");
  return header;
}

Segment checked_segment(const GElf_Phdr& header, unsigned index, const ElfFile& file) {
  const std::string which = fmt::format("segment {}", index);
  if (header.p_filesz > header.p_memsz)
    throw bad_input(which + ": more bytes in the file than in memory", {file.name},
                    "the file is corrupt");
  if (header.p_filesz > 0 && (header.p_offset > file.image.size() ||
                              header.p_filesz > file.image.size() - header.p_offset))
    throw bad_input(fmt::format("{}: bytes {:#x} to {:#x} are beyond the end of the file", which,
                                header.p_offset, header.p_offset + header.p_filesz - 1),
                    {file.name}, "the file is truncated");
  if (header.p_paddr + header.p_memsz > (1ull << 32))
    throw bad_input(fmt::format("{}: {:#010x} to {:#x} exceeds the 32-bit address space", which,
                                header.p_paddr, header.p_paddr + header.p_memsz - 1),
                    {file.name}, "the file is corrupt");
  Segment segment;
  segment.index = index;
  segment.address = static_cast<uint32_t>(header.p_paddr);
  segment.file_offset = header.p_filesz > 0 ? static_cast<uint32_t>(header.p_offset) : 0;
  segment.file_bytes = static_cast<uint32_t>(header.p_filesz);
  segment.memory_bytes = static_cast<uint32_t>(header.p_memsz);
  return segment;
}

void refuse_overlap(const ElfFile& file) {
  for (size_t i = 1; i < file.segments.size(); ++i) {
    const Segment& before = file.segments[i - 1];
    const Segment& after = file.segments[i];
    if (after.address - before.address < before.memory_bytes)
      throw bad_input(fmt::format("segments {} and {} overlap at {:#010x}", before.index,
                                  after.index, after.address),
                      {file.name}, "check the linker script");
  }
}

void read_segments(Elf* elf, ElfFile& file) {
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0)
    throw bad_input("its program headers cannot be read", {file.name}, "the file is corrupt");
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr)
      throw bad_input(fmt::format("program header {} cannot be read", i), {file.name},
                      "the file is truncated or corrupt");
    if (header.p_type == PT_LOAD && header.p_memsz > 0)
      file.segments.push_back(checked_segment(header, static_cast<unsigned>(i), file));
  }
  if (file.segments.empty())
    throw bad_input("nothing to load: it has no PT_LOAD segment", {file.name}, kBuildRemedy);
  std::sort(file.segments.begin(), file.segments.end(),
            [](const Segment& a, const Segment& b) { return a.address < b.address; });
  refuse_overlap(file);
}

void check_entry(const ElfFile& file) {
  const bool loaded = std::any_of(
      file.segments.begin(), file.segments.end(),
      [&](const Segment& segment) { return file.entry - segment.address < segment.file_bytes; });
  if (file.entry % 4 != 0 || !loaded)
    throw bad_input(fmt::format("entry point {:#010x} is {}", file.entry,
                                loaded ? "not a multiple of 4" : "in no loaded segment"),
                    {file.name}, "check ENTRY() in the linker script");
}

bool is_wanted(const GElf_Sym& symbol, const char* name) {
  const unsigned type = GELF_ST_TYPE(symbol.st_info);
  const bool kind = type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE;
  const bool placed = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
  return kind && placed && name != nullptr && name[0] != '\0' && name[0] != '$' &&
         !(name[0] == '.' && name[1] == 'L');
}

// A program runs without symbols as well: what cannot be read here is left out, not refused.
SymbolTable read_symbols(Elf* elf) {
  std::vector<Symbol> symbols;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    const auto count =
        static_cast<int>(std::min<uint64_t>(data->d_size / sizeof(Elf32_Sym), 1u << 24));
    for (int i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, i, &symbol) == nullptr) break;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (!is_wanted(symbol, name)) continue;
      symbols.push_back({static_cast<uint32_t>(symbol.st_value),
                         static_cast<uint32_t>(symbol.st_size),
                         std::string(name).substr(0, kMaximumNameBytes),
                         GELF_ST_TYPE(symbol.st_info) == STT_FUNC});
    }
  }
  return SymbolTable(std::move(symbols));
}

// A program runs without these, too.
std::vector<CallFrameSection> read_call_frames(Elf* elf) {
  std::vector<CallFrameSection> sections;
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return sections;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type == SHT_NOBITS ||
        (header.sh_flags & SHF_COMPRESSED) != 0)
      continue;
    const char* text = elf_strptr(elf, names, header.sh_name);
    const std::string_view name = text == nullptr ? "" : text;
    if (name != ".debug_frame" && name != ".eh_frame") continue;
    const Elf_Data* data = elf_rawdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    const auto* bytes = static_cast<const uint8_t*>(data->d_buf);
    sections.push_back({{bytes, bytes + data->d_size},
                        static_cast<uint32_t>(header.sh_addr),
                        name == ".eh_frame"});
  }
  return sections;
}

}  // namespace

ElfFile parse_elf(std::vector<uint8_t> image, const std::string& name) {
  ElfFile file;
  file.name = name;
  file.image = std::move(image);
  elf_version(EV_CURRENT);
  // libelf may convert in place what it is given: it gets a copy.
  std::vector<uint8_t> copy = file.image;
  if (copy.size() < sizeof(Elf32_Ehdr)) throw bad_input("not an ELF file", {name}, kBuildRemedy);
  const ElfHandle elf(elf_memory(reinterpret_cast<char*>(copy.data()), copy.size()));
  if (!elf) throw bad_input("not an ELF file", {name}, kBuildRemedy);
  const GElf_Ehdr header = checked_header(elf.get(), name);
  file.big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
  file.entry = static_cast<uint32_t>(header.e_entry);
  read_segments(elf.get(), file);
  check_entry(file);
  file.symbols = read_symbols(elf.get());
  file.call_frames = read_call_frames(elf.get());
  return file;
}

ElfFile read_elf(const std::string& path) {
  constexpr FileKind kFirmware{"firmware", 1u << 30,
                               "\x7f"
                               "ELF"};
  const std::string image = read_whole_file(path, kFirmware);
  return parse_elf({image.begin(), image.end()}, path);
}

}  // namespace gvp::platform
