// SPDX-License-Identifier: Apache-2.0
#include "tools/oclc/kernel_metadata.h"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string_view>

#include "models/base/error.h"

namespace gvp::oclc {
namespace {

using gpgpu::southern_islands::argument_of;
using gpgpu::southern_islands::KernelArguments;

// "!{i32 1, !"int*"}" -> its elements: "1", "int*".
std::vector<std::string> elements_of(std::string_view node) {
  std::vector<std::string> elements;
  for (std::size_t at = 0; at < node.size();) {
    if (node[at] == '"') {
      const std::size_t end = node.find('"', at + 1);
      elements.emplace_back(node.substr(at + 1, end - at - 1));
      at = end == std::string_view::npos ? node.size() : end + 1;
    } else if (node.compare(at, 4, "i32 ") == 0) {
      const std::size_t end = node.find_first_of(",}", at);
      elements.emplace_back(node.substr(at + 4, end - at - 4));
      at = end == std::string_view::npos ? node.size() : end;
    } else {
      ++at;
    }
  }
  return elements;
}

// "... !NAME !12 ..." -> "12".
std::string node_number(std::string_view line, std::string_view name) {
  const std::string wanted = fmt::format(" !{} !", name);
  const std::size_t at = line.find(wanted);
  if (at == std::string_view::npos) return "";
  const std::size_t begin = at + wanted.size();
  return std::string(line.substr(begin, line.find_first_not_of("0123456789", begin) - begin));
}

// "define amdgpu_kernel void @add(...)" -> "add".
std::string kernel_name(std::string_view line) {
  if (line.rfind("define ", 0) != 0 || line.find(" amdgpu_kernel ") == std::string_view::npos)
    return "";
  const std::size_t at = line.find('@');
  const std::size_t end = line.find('(', at);
  if (at == std::string_view::npos || end == std::string_view::npos) return "";
  return std::string(line.substr(at + 1, end - at - 1));
}

}  // namespace

std::vector<KernelArguments> kernel_arguments(const std::string& code) {
  std::vector<std::string> kernels;
  std::map<std::string, std::vector<std::string>> nodes;
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) {
    if (!kernel_name(line).empty()) kernels.push_back(line);
    const std::size_t equals = line.find(" = !{");
    if (line.rfind('!', 0) == 0 && equals != std::string::npos)
      nodes[line.substr(1, equals - 1)] = elements_of(std::string_view(line).substr(equals + 3));
  }
  std::vector<KernelArguments> result;
  for (const std::string& line : kernels) {
    KernelArguments kernel{kernel_name(line), {}};
    const auto list = [&](const char* name) { return nodes[node_number(line, name)]; };
    const auto spaces = list("kernel_arg_addr_space");
    const auto types = list("kernel_arg_base_type");
    const auto names = list("kernel_arg_name");
    if (spaces.size() != types.size() || names.size() != types.size())
      throw model_error(
          fmt::format("clang's metadata of kernel {} are not understood", kernel.kernel), "",
          "this needs clang 14");
    for (std::size_t i = 0; i < types.size(); ++i)
      kernel.arguments.push_back(
          argument_of(static_cast<unsigned>(std::stoul(spaces[i])), types[i], names[i]));
    result.push_back(std::move(kernel));
  }
  return result;
}

}  // namespace gvp::oclc
