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

// The text of the section, or "" where the file has none.
std::string interface_of(const std::string& path) {
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
    if (name == nullptr || std::strcmp(name, kSection) != 0) continue;
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

void check_interface(const std::string& path) {
  const std::string theirs = interface_of(path);
  if (theirs.empty())
    throw bad_input(fmt::format("not a plug-in of gpgpu-vp: it has no section {}", kSection),
                    {path, 0, 0}, kHow);
  if (theirs != GVP_PLUGIN_INTERFACE)
    throw bad_input(fmt::format("this plug-in was built for {}; this program is {}", theirs,
                                GVP_PLUGIN_INTERFACE),
                    {path, 0, 0}, "build it again, against this version's package");
}

}  // namespace

const std::vector<std::string>& loaded_plugins() { return loaded(); }

void load_plugin(const std::string& path) {
  register_built_in_device_types();  // theirs are the names that others cannot have
  check_interface(path);
  const std::string file = std::filesystem::canonical(path).string();
  if (std::find(loaded().begin(), loaded().end(), file) != loaded().end()) return;
  // Never unloaded: the table of types refers to its code.
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw bad_input(fmt::format("cannot load the plug-in: {}", dlerror()));
  const auto register_types = reinterpret_cast<void (*)()>(dlsym(handle, "gvp_plugin_register"));
  if (register_types == nullptr)
    throw bad_input("not a plug-in of gpgpu-vp: it has no gvp_plugin_register", {path, 0, 0}, kHow);
  try {
    register_types();
  } catch (const Error& error) {
    throw bad_input(error.message(), {path, 0, 0}, error.remedy());
  } catch (const std::exception& error) {
    throw bad_input(fmt::format("registering its device types failed: {}", error.what()),
                    {path, 0, 0});
  }
  loaded().push_back(file);
}

}  // namespace gvp::platform
