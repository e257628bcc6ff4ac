// SPDX-License-Identifier: Apache-2.0
// Builds small MicroBlaze executables in memory, right ones and wrong ones.
#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace gvp::platform::test {

struct ImageSegment {
  uint32_t address = 0;
  std::vector<uint8_t> bytes;
  uint32_t memory_bytes = 0;
};

struct ImageSymbol {
  const char* name = "";
  uint32_t address = 0;
  uint32_t size = 0;
  unsigned char type = STT_FUNC;
};

// Little-endian; the headers lie at the beginning, program headers first, then the contents, then
// symbols and their section headers.
inline std::vector<uint8_t> elf_image(const std::vector<ImageSegment>& segments, uint32_t entry,
                                      const std::vector<ImageSymbol>& symbols = {}) {
  std::vector<uint8_t> image(sizeof(Elf32_Ehdr) + segments.size() * sizeof(Elf32_Phdr));
  const auto append = [&](const void* data, size_t size) {
    const auto at = static_cast<uint32_t>(image.size());
    const auto* bytes = static_cast<const uint8_t*>(data);
    image.insert(image.end(), bytes, bytes + size);
    return at;
  };
  for (size_t i = 0; i < segments.size(); ++i) {
    Elf32_Phdr header{};
    header.p_type = PT_LOAD;
    header.p_paddr = header.p_vaddr = segments[i].address;
    header.p_filesz = static_cast<uint32_t>(segments[i].bytes.size());
    header.p_memsz = segments[i].memory_bytes;
    header.p_offset = append(segments[i].bytes.data(), segments[i].bytes.size());
    std::memcpy(image.data() + sizeof(Elf32_Ehdr) + i * sizeof header, &header, sizeof header);
  }
  std::string names(1, '\0');
  std::vector<Elf32_Sym> table(1);
  for (const ImageSymbol& symbol : symbols) {
    Elf32_Sym entry_of{};
    entry_of.st_name = static_cast<uint32_t>(names.size());
    entry_of.st_value = symbol.address;
    entry_of.st_size = symbol.size;
    entry_of.st_info = static_cast<unsigned char>(ELF32_ST_INFO(STB_GLOBAL, symbol.type));
    entry_of.st_shndx = 1;
    table.push_back(entry_of);
    names += std::string(symbol.name) + '\0';
  }
  Elf32_Shdr sections[3] = {};
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = append(names.data(), names.size());
  sections[1].sh_size = static_cast<uint32_t>(names.size());
  while (image.size() % 4 != 0) image.push_back(0);
  sections[2].sh_type = SHT_SYMTAB;
  sections[2].sh_link = 1;
  sections[2].sh_entsize = sizeof(Elf32_Sym);
  sections[2].sh_size = static_cast<uint32_t>(table.size() * sizeof(Elf32_Sym));
  sections[2].sh_offset = append(table.data(), sections[2].sh_size);

  Elf32_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS32;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = 189;
  header.e_version = EV_CURRENT;
  header.e_entry = entry;
  header.e_ehsize = sizeof(Elf32_Ehdr);
  header.e_phoff = sizeof(Elf32_Ehdr);
  header.e_phentsize = sizeof(Elf32_Phdr);
  header.e_phnum = static_cast<uint16_t>(segments.size());
  header.e_shentsize = sizeof(Elf32_Shdr);
  header.e_shnum = 3;
  header.e_shoff = append(sections, sizeof sections);
  std::memcpy(image.data(), &header, sizeof header);
  return image;
}

}  // namespace gvp::platform::test
