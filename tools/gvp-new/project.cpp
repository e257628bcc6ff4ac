// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-new/project.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "models/base/error.h"

namespace gvp::tools {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestName = 64;

// What CMake, Ninja or the SDK call their own targets.
constexpr std::array<std::string_view, 11> kTaken = {
    "all",     "clean",   "debug",         "edit_cache", "gvp_sdk", "help",
    "install", "package", "rebuild_cache", "run",        "test"};

void check_name(const std::string& name) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  };
  const bool letter = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  if (!letter || name.size() > kLongestName || !std::all_of(name.begin(), name.end(), plain))
    throw bad_input(fmt::format("\"{}\" cannot be the name of a program", name), {},
                    "a letter, then letters, digits, _ and -, 64 at most; --name chooses another "
                    "than the directory's");
  if (std::find(kTaken.begin(), kTaken.end(), name) != kTaken.end())
    throw bad_input(fmt::format("\"{}\" is the name of a target that every project has", name), {},
                    "--name chooses another than the directory's");
}

void check_directory(const fs::path& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status))
    throw bad_input("there is a file of this name", {directory.string()}, "choose another name");
  if (!fs::is_empty(directory, error) || error)
    throw bad_input("the directory is not empty", {directory.string()},
                    "gvp-new changes nothing that exists: choose another name");
}

// As text in quotes, of JSON and of CMake.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& path, const std::string& content) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream stream(path, std::ios::binary);
  if (error || !stream.write(content.data(), static_cast<std::streamsize>(content.size())).flush())
    throw bad_input("cannot write", {path.string()});
}

}  // namespace

fs::path sdk_of(const fs::path& program) {
  return program.parent_path().parent_path() / "share/gpgpu-vp/sdk";
}

std::string make_project(const Project& project) {
  const fs::path directory = fs::absolute(project.directory).lexically_normal();
  const fs::path last = directory.has_filename() ? directory : directory.parent_path();
  std::string name = project.name.empty() ? last.filename().string() : project.name;
  check_name(name);
  const fs::path source = project.sdk / "template";
  if (!fs::is_directory(source))
    throw bad_input("no SDK there", {project.sdk.string()},
                    "--sdk DIRECTORY names share/gpgpu-vp/sdk of an installation");
  check_directory(directory);
  const std::array<std::pair<std::string, std::string>, 3> placeholders = {
      {{"@NAME@", name},
       {"@SDK@", quoted(fs::absolute(project.sdk).lexically_normal().string())},
       {"@BIN@", quoted(fs::absolute(project.programs).lexically_normal().string())}}};
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(source, fs::directory_options::follow_directory_symlink)) {
    if (entry.is_directory()) continue;
    std::string text = read(entry.path());
    for (const auto& [from, to] : placeholders) replace_all(text, from, to);
    fs::path to = directory / fs::relative(entry.path(), source);
    if (to.filename() == "gitignore") to.replace_filename(".gitignore");
    write(to, text);
  }
  return name;
}

}  // namespace gvp::tools
