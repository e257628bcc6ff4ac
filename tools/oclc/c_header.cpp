// SPDX-License-Identifier: Apache-2.0
#include "tools/oclc/c_header.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

namespace gvp::oclc {
namespace {

using namespace gpgpu::southern_islands;

std::string upper(std::string text) {
  for (char& each : text) each = static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
  return text;
}

std::string kernel_text(const ObjectKernel& kernel, const std::string& prefix) {
  const auto line = [&](const std::string& what, const std::string& value) {
    return fmt::format("#define {}_{} {}\n", prefix, what, value);
  };
  unsigned groups = 0;
  for (unsigned i = 0; i < 3; ++i) groups |= kernel.group_numbers[i] ? 1u << i : 0u;
  std::string text = fmt::format("\n/* kernel {} */\n", kernel.name);
  text += line("ENTRY", fmt::format("{:#x}u", kernel.entry));
  text += line("BYTES", fmt::format("{}u", kernel.bytes));
  text += line("VECTOR_REGISTERS", fmt::format("{}u", kernel.vector_registers));
  text += line("SCALAR_REGISTERS", fmt::format("{}u", kernel.scalar_registers));
  text += line("SHARE_BYTES", fmt::format("{}u", kernel.share_bytes));
  text += line("USER_SCALARS", fmt::format("{}u", kernel.user_scalars));
  text += line("GROUP_NUMBERS", fmt::format("{:#x}u", groups));
  text += line("LOCAL_DIMENSIONS", fmt::format("{}u", kernel.local_dimensions));
  if (!kernel.arguments || !kernel.arguments->complete()) return text;
  for (const KernelArgument& argument : kernel.arguments->arguments)
    text += fmt::format("#define {}_ARGUMENT_{} {}u /* {} */\n", prefix, upper(argument.name),
                        argument.offset, argument.type);
  const uint32_t hidden = kernel.arguments->hidden_offset();
  text += line("HIDDEN_ARGUMENTS", fmt::format("{}u", hidden));
  text += line("ARGUMENT_BYTES", fmt::format("{}u", hidden + kHiddenArguments));
  return text;
}

}  // namespace

std::string identifier_of(const std::string& file) {
  std::string name = std::filesystem::path(file).stem().string();
  for (char& each : name)
    if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
    name.insert(0, "kernels_");
  return name;
}

std::string to_c_header(const CodeObject& object, const std::string& name,
                        const std::string& source) {
  const std::string prefix = upper(name);
  std::string text = fmt::format(
      "/* Written by oclc from {}.\n"
      " * ENTRY, BYTES: of the kernel in the code.  USER_SCALARS 2: s[0:1] is the address of the\n"
      " * arguments.  GROUP_NUMBERS: which of x, y, z (bits 0 to 2) follow in the scalar "
      "registers\n"
      " * behind those.  LOCAL_DIMENSIONS: of the work-item's number, from v0 on.  ARGUMENT_*: "
      "byte\n"
      " * offsets from that address.\n"
      " */\n"
      "#ifndef {}_KERNELS_H\n#define {}_KERNELS_H\n\n#include <stdint.h>\n\n"
      "#define {}_CODE_WORDS {}u\n\n"
      "static const uint32_t {}_code[{}_CODE_WORDS] = {{",
      source, prefix, prefix, prefix, object.code.size(), name, prefix);
  for (std::size_t i = 0; i < object.code.size(); ++i)
    text += fmt::format("{}{:#010x}u,", i % 6 == 0 ? "\n    " : " ", object.code[i]);
  text += "\n};\n";
  for (const ObjectKernel& kernel : object.kernels)
    text += kernel_text(kernel, prefix + '_' + upper(kernel.name));
  return text + fmt::format("\n#endif\n");
}

}  // namespace gvp::oclc
