// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>

#include "models/base/files.h"
#include "platform/board/plugins.h"
#include "platform/configuration/keys.h"

namespace gvp::platform {
namespace {

constexpr const char* kBoard = "board";
constexpr const char* kPlugins = "plugins";
constexpr const char* kTrace = "trace";

SourceLocation location(const std::string& file, const toml::source_region& region) {
  return {file, static_cast<uint32_t>(region.begin.line),
          static_cast<uint32_t>(region.begin.column)};
}

Value to_value(const Configuration& configuration, const toml::node& node, const Key& key,
               const SourceLocation& where) {
  if (const auto* truth = node.as_boolean()) return truth->get();
  if (const auto* whole = node.as_integer()) return whole->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  Configuration copy = configuration;
  throw bad_input(fmt::format("{} needs a {}, not {}", key.name, device::type_text(key.field(copy)),
                              node.is_table()   ? "a table"
                              : node.is_array() ? "an array"
                                                : "a date or time"),
                  where, fmt::format("allowed: {}", allowed_text(configuration, key)));
}

bool is_section(const Configuration& configuration, const std::string& name) {
  for (const Key& key : configuration.keys())
    if (key.section() == name) return true;
  return false;
}

void apply(Configuration& configuration, const toml::table& table, const std::string& prefix,
           const std::string& file) {
  for (auto&& [leaf, node] : table) {
    const std::string name = prefix + std::string(leaf.str());
    if (name == kBoard || name == kPlugins || name == kTrace) continue;
    const Key* key = find_key(configuration, name);
    if (key != nullptr) {
      const SourceLocation where = location(file, node.source());
      assign(configuration, *key, to_value(configuration, node, *key, where), where);
    } else if (node.is_table() && (is_section(configuration, name) || !node.as_table()->empty())) {
      apply(configuration, *node.as_table(), name + ".", file);
    } else {
      refuse_unknown_key(configuration, name, location(file, leaf.source()));
    }
  }
}

// A path is relative to the file that has it.
std::string board_name(const std::string& board, const std::string& file) {
  for (const BuiltInBoard& each : built_in_boards())
    if (each.name == board) return board;
  return (std::filesystem::path(file).parent_path() / board).string();
}

// The texts of a list; null for another node.
const toml::array* texts(const toml::node& node) {
  const auto* list = node.as_array();
  for (size_t i = 0; list != nullptr && i < list->size(); ++i)
    if (!(*list)[i].is_string()) list = nullptr;
  return list;
}

void read_traces(Configuration& configuration, const toml::table& table, const std::string& file) {
  const toml::node* node = table.get(kTrace);
  if (node == nullptr) return;
  const toml::array* traces = texts(*node);
  if (traces == nullptr)
    throw bad_input("trace is not a list of texts", location(file, node->source()),
                    "write trace = [\"run.csv:port=host_data\"]");
  for (const toml::node& each : *traces) {
    SourceLocation where = location(file, each.source());
    ++where.column;  // behind the quotation mark
    configuration.traces.push_back({*each.value<std::string>(), where});
  }
}

// Before the board is chosen, which may have devices of theirs.
void load_plugins(const toml::table& table, const std::string& file) {
  const toml::node* node = table.get(kPlugins);
  if (node == nullptr) return;
  const toml::array* files = texts(*node);
  if (files == nullptr)
    throw bad_input("plugins is not a list of files", location(file, node->source()),
                    "write plugins = [\"my_devices.so\"]");
  for (const toml::node& each : *files)
    load_plugin(*each.value<std::string>(), location(file, each.source()));
}

void choose_board(Configuration& configuration, const toml::table& table, const std::string& file) {
  const toml::node* node = table.get(kBoard);
  if (node == nullptr) return;
  const SourceLocation where = location(file, node->source());
  const auto* text = node->as_string();
  if (text == nullptr)
    throw bad_input("board is not a text", where,
                    "write board = \"NAME\" or board = \"FILE.toml\"");
  configuration = Configuration(load_board(board_name(text->get(), file)));
}

}  // namespace

void read_text(Configuration& configuration, std::string_view text, const std::string& name,
               BoardChoice choice) {
  toml::table table;
  try {
    table = toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw bad_input(std::string(error.description()), location(name, error.source()));
  }
  load_plugins(table, name);
  if (choice == BoardChoice::kFromFile) choose_board(configuration, table, name);
  read_traces(configuration, table, name);
  apply(configuration, table, "", name);
}

void read_file(Configuration& configuration, const std::string& path, BoardChoice choice) {
  constexpr FileKind kPlatformFile{"a platform file", 1u << 20};  // it is a page or two
  read_text(configuration, read_whole_file(path, kPlatformFile), path, choice);
}

}  // namespace gvp::platform
