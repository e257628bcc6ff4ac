// SPDX-License-Identifier: Apache-2.0
#include "models/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "models/base/error.h"

namespace gvp {
namespace {

namespace fs = std::filesystem;

constexpr size_t kChunk = 1u << 16;
constexpr int kMostLinks = 40;  // as Linux follows

// Closes what it opened; standard input stays open.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ > STDERR_FILENO) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// In the largest unit that gives a whole number.
std::string size_text(size_t bytes) {
  constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB"};
  size_t unit = 0;
  while (unit < 3 && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, kUnits[unit]);
}

bool begins_differently(const std::string& text, std::string_view magic) {
  return text.compare(0, magic.size(), magic) != 0;
}

// What a path leads to, the same for all paths and links that lead there; nothing for devices, but
// for standard output: two outputs would mix there.
std::optional<std::string> identity(const FileUse& use, int stream) {
  struct stat status {};
  const bool known =
      use.path == "-" ? fstat(stream, &status) == 0 : stat(use.path.c_str(), &status) == 0;
  if (known && S_ISCHR(status.st_mode))
    return use.path == "-" && stream == STDOUT_FILENO ? std::optional("-") : std::nullopt;
  if (known) return fmt::format("{}:{}", status.st_dev, status.st_ino);
  if (use.path == "-") return std::nullopt;  // a closed stream
  // A file yet to be made: where links that dangle lead, in a folder that exists or does not.
  std::error_code error;
  fs::path path = fs::absolute(use.path, error);
  for (int links = 0; links < kMostLinks && fs::is_symlink(path, error); ++links)
    path = path.parent_path() / fs::read_symlink(path, error);
  return fs::weakly_canonical(path, error).string();
}

std::string called(const FileUse& use, const char* stream) {
  return use.path == "-" ? stream : use.path;
}

}  // namespace

std::string read_whole_file(const std::string& path, const FileKind& kind) {
  const SourceLocation where{path == "-" ? "standard input" : path, 0, 0};
  const Descriptor file(path);
  if (file.number() < 0)
    throw bad_input(fmt::format("cannot open: {}", std::strerror(errno)), where);
  struct stat status {};
  if (fstat(file.number(), &status) == 0 && S_ISDIR(status.st_mode))
    throw bad_input(fmt::format("is a directory, not {}", kind.name), where);
  std::string text;
  for (size_t used = 0;;) {
    text.resize(used + kChunk);
    const ssize_t count = ::read(file.number(), &text[used], kChunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw bad_input(fmt::format("cannot read: {}", std::strerror(errno)), where);
    used += static_cast<size_t>(count);
    text.resize(used);
    if (used > kind.most_bytes)
      throw bad_input(
          fmt::format("is longer than {} can be: {}", kind.name, size_text(kind.most_bytes)), where,
          kind.remedy);
    if (count == 0 || (used >= kind.magic.size() && begins_differently(text, kind.magic)))
      return text;
  }
}

void check_file_uses(const std::vector<FileUse>& inputs, const std::vector<FileUse>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const FileUse& output = outputs[i];
    if (output.path.empty())
      throw bad_input("the name of the file to write is empty", {output.role});
    const auto written = identity(output, STDOUT_FILENO);
    if (!written) continue;
    for (const FileUse& input : inputs)
      if (identity(input, STDIN_FILENO) == written)
        throw bad_input(fmt::format("{} would overwrite {}, {}", output.role, input.role,
                                    called(input, "standard input")),
                        {called(output, "standard output")}, "write to another file");
    for (size_t j = 0; j < i; ++j)
      if (identity(outputs[j], STDOUT_FILENO) == written)
        throw bad_input(
            fmt::format("{} and {} would write to one file", outputs[j].role, output.role),
            {called(output, "standard output")}, "give each a file of its own");
  }
}

}  // namespace gvp
