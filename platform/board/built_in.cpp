// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "models/base/nearest.h"
#include "platform/board/board.h"
#include "platform/board/built_in_boards.h"  // generated

namespace gvp::platform {
namespace {

constexpr size_t kMaximumFileBytes = 1u << 20;  // a board is a page or two

std::string read_board_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  if (stream) {
    text.resize(kMaximumFileBytes + 1);
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad() || (!stream.eof() && text.size() <= kMaximumFileBytes)) {
    std::vector<std::string> known;
    for (const BuiltInBoard& each : built_in_boards()) known.emplace_back(each.name);
    const std::string meant = nearest(path, known);
    throw bad_input("no built-in board, and no file that can be read", {path},
                    meant.empty() ? "gpgpu-vp --list-boards lists the built-in ones"
                                  : fmt::format("did you mean \"{}\"?", meant));
  }
  if (text.size() > kMaximumFileBytes)
    throw bad_input("the file is larger than 1 MiB", {path}, "is this really a board?");
  return text;
}

}  // namespace

const std::vector<BuiltInBoard>& built_in_boards() {
  static const std::vector<BuiltInBoard> boards(std::begin(kBuiltInBoards),
                                                std::end(kBuiltInBoards));
  return boards;
}

std::shared_ptr<const Board> load_board(const std::string& name_or_path) {
  for (const BuiltInBoard& each : built_in_boards())
    if (each.name == name_or_path)
      return std::make_shared<const Board>(
          parse_board(each.text, fmt::format("{}.toml (built in)", each.name), name_or_path));
  return std::make_shared<const Board>(
      parse_board(read_board_file(name_or_path), name_or_path, name_or_path));
}

std::shared_ptr<const Board> default_board() {
  static const std::shared_ptr<const Board> board = load_board("ml605");
  return board;
}

}  // namespace gvp::platform
