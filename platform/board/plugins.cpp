// SPDX-License-Identifier: Apache-2.0
#include "platform/board/plugins.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "models/base/error.h"
#include "models/device/plugin.h"
#include "models/rtl/block_table.h"
#include "models/rtl_device/device_type.h"
#include "platform/board/board.h"

namespace gvp::platform {
namespace {

constexpr const char* kSection = ".gvp_plugin";
constexpr const char* kHow = "docs/plugins.md shows how one is made";

struct CloseElf {
  void operator()(Elf* elf) const { elf_end(elf); }
};
struct CloseFile {
  int descriptor;
  ~CloseFile() { close(descriptor); }
};

// The text of a section, or "" where the file has none.
std::string section_text(const std::string& path, const char* wanted) {
  const CloseFile file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.descriptor < 0)
    throw bad_input(fmt::format("cannot read the plug-in: {}", std::strerror(errno)), {path, 0, 0});
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, CloseElf> elf(elf_begin(file.descriptor, ELF_C_READ, nullptr));
  size_t names = 0;
  if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF ||
      elf_getshdrstrndx(elf.get(), &names) != 0)
    throw bad_input("not a shared object", {path, 0, 0}, kHow);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS) continue;
    const char* name = elf_strptr(elf.get(), names, header.sh_name);
    if (name == nullptr || std::strcmp(name, wanted) != 0) continue;
    const Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) break;
    const auto* text = static_cast<const char*>(data->d_buf);
    return {text, strnlen(text, data->d_size)};
  }
  return "";
}

std::vector<std::string>& loaded() {
  static std::vector<std::string> files;
  return files;
}

// A function of the plug-in; null where it has none of this name.
template <typename Function>
Function* load(const std::string& file, const char* name) {
  // Never unloaded: the tables of types and blocks refer to it.
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw bad_input(fmt::format("cannot load the plug-in: {}", dlerror()));
  return reinterpret_cast<Function*>(dlsym(handle, name));
}

void check_interface(const std::string& path, const std::string& theirs, const char* ours) {
  if (theirs != ours)
    throw bad_input(fmt::format("this plug-in was built for {}; this program is {}", theirs, ours),
                    {path, 0, 0}, "build it again, against this version's package");
}

// Of a file with the section of device types.
void load_types(const std::string& path, const std::string& file) {
  const std::string theirs = section_text(path, kSection);
  if (theirs.empty())
    throw bad_input(fmt::format("not a plug-in of gpgpu-vp: it has no section {}", kSection),
                    {path, 0, 0}, kHow);
  check_interface(path, theirs, GVP_PLUGIN_INTERFACE);
  auto* const register_types = load<void()>(file, "gvp_plugin_register");
  if (register_types == nullptr)
    throw bad_input("not a plug-in of gpgpu-vp: it has no gvp_plugin_register", {path, 0, 0}, kHow);
  register_types();
}

void load_block(const std::string& path, const std::string& file, const std::string& theirs) {
  check_interface(path, theirs, GVP_RTL_PLUGIN_INTERFACE);
  auto* const plugin = load<const gvp_rtl_block*()>(file, "gvp_rtl_plugin");
  if (plugin == nullptr)
    throw bad_input("not a plug-in of gpgpu-vp: it has no gvp_rtl_plugin", {path, 0, 0}, kHow);
  const gvp_rtl_block& block = *plugin();
  rtl::register_block(block);
  device::register_device_type(rtl_device::type_of(block));
}

}  // namespace

const std::vector<std::string>& loaded_plugins() { return loaded(); }

void load_plugin(const std::string& path) {
  register_built_in_device_types();  // theirs are the names that others cannot have
  const std::string block = section_text(path, GVP_RTL_PLUGIN_SECTION);
  const std::string file = std::filesystem::canonical(path).string();
  if (std::find(loaded().begin(), loaded().end(), file) != loaded().end()) return;
  try {
    block.empty() ? load_types(path, file) : load_block(path, file, block);
  } catch (const Error& error) {
    throw bad_input(error.message(), {path, 0, 0}, error.remedy());
  } catch (const std::exception& error) {
    throw bad_input(fmt::format("registering its device types failed: {}", error.what()),
                    {path, 0, 0});
  }
  loaded().push_back(file);
}

void load_plugin(const std::string& path, const SourceLocation& named_at) {
  const std::string file =
      (std::filesystem::path(named_at.file).parent_path() / path).lexically_normal().string();
  try {
    load_plugin(file);
  } catch (const Error& error) {
    throw bad_input(fmt::format("plug-in {}: {}", file, error.message()), named_at, error.remedy());
  }
}

}  // namespace gvp::platform
