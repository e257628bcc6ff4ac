// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-rtl/description.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "models/base/files.h"
#include "models/base/nearest.h"
#include "tools/gvp-rtl/roles.h"

namespace gvp::tools::rtl {
namespace {

namespace fs = std::filesystem;
constexpr unsigned kMostParts = 64;  // of a pin
constexpr FileKind kDescription{"a description of a block of RTL", 1u << 20};

bool is_identifier(const std::string& name) {
  const auto fits = [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 ||
           std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return !name.empty() && std::islower(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.end(), fits);
}

// A file's text, and what its tables hold.
class Reader {
 public:
  Reader(std::string_view text, std::string file) : file_(std::move(file)) {
    try {
      root_ = toml::parse(text, file_);
    } catch (const toml::parse_error& error) {
      throw bad_input(std::string(error.description()), place(error.source()));
    }
  }

  const toml::table& root() const { return root_; }
  SourceLocation place(const toml::source_region& region) const {
    return {file_, static_cast<uint32_t>(region.begin.line),
            static_cast<uint32_t>(region.begin.column)};
  }
  SourceLocation place(const toml::node& node) const { return place(node.source()); }

  void allow_only(const toml::table& from, const std::vector<std::string>& words) const {
    for (auto&& [key, node] : from) {
      const std::string word(key.str());
      if (std::find(words.begin(), words.end(), word) != words.end()) continue;
      const std::string meant = nearest(word, words);
      throw bad_input(fmt::format("unknown word \"{}\"", word), place(key.source()),
                      meant.empty() ? fmt::format("there are: {}", fmt::join(words, ", "))
                                    : fmt::format("did you mean \"{}\"?", meant));
    }
  }
  std::string text(const toml::table& from, const char* word) const {
    const toml::node* node = from.get(word);
    if (node == nullptr) return "";
    if (const auto* found = node->as_string()) return not_empty(*found, word);
    throw bad_input(fmt::format("{} is not a text", word), place(*node),
                    fmt::format("write {} = \"...\"", word));
  }
  // One text or a list of them.
  std::vector<NamedPin> texts(const toml::table& from, const char* word) const {
    std::vector<NamedPin> all;
    const toml::node* node = from.get(word);
    if (node == nullptr) return all;
    const auto add = [&](const toml::node& each) {
      const auto* found = each.as_string();
      if (found == nullptr)
        throw bad_input(fmt::format("{} is not a list of texts", word), place(each),
                        fmt::format("write {} = [\"...\", \"...\"]", word));
      all.push_back({not_empty(*found, word), place(each)});
    };
    if (const auto* list = node->as_array())
      for (const toml::node& each : *list) add(each);
    else
      add(*node);
    return all;
  }
  const toml::table& table(const toml::node& node, const std::string& what) const {
    if (const auto* found = node.as_table()) return *found;
    throw bad_input(fmt::format("{} is not a table", what), place(node),
                    fmt::format("write [{}]", what));
  }

  Mapping mapping(const toml::table& from) const {
    allow_only(from, {"clock", "reset", "interrupts", "others", "slaves", "masters"});
    Mapping result;
    result.clocks = texts(from, "clock");
    result.resets = texts(from, "reset");
    result.interrupts = texts(from, "interrupts");
    result.others = texts(from, "others");
    read_ports(from, "slaves", false, result);
    read_ports(from, "masters", true, result);
    return result;
  }

 private:
  std::string not_empty(const toml::value<std::string>& text, const char* word) const {
    if (!text.get().empty()) return text.get();
    throw bad_input(fmt::format("{} has an empty text", word), place(text),
                    "write what it is, or leave the word out");
  }
  void read_ports(const toml::table& from, const char* word, bool is_master,
                  Mapping& result) const {
    const toml::node* node = from.get(word);
    if (node == nullptr) return;
    for (auto&& [key, entry] : table(*node, word)) {
      const std::string name(key.str());
      const std::string what = fmt::format("{}.{}", word, name);
      if (!is_identifier(name))
        throw bad_input(fmt::format("\"{}\" is no name for a port", name), place(key.source()),
                        "a lower-case letter, then lower-case letters, digits and _");
      if (result.ports.count(name) != 0)
        throw bad_input(fmt::format("two ports are called {}", name), place(key.source()),
                        "give one of them another name");
      result.ports[name] = port(table(entry, what), what, is_master);
    }
  }
  unsigned number(const toml::table& from, const char* word, unsigned least, unsigned most,
                  unsigned if_absent) const {
    const toml::node* node = from.get(word);
    if (node == nullptr) return if_absent;
    const auto* found = node->as_integer();
    if (found == nullptr || found->get() < least || found->get() > most)
      throw bad_input(fmt::format("{} is no whole number from {} to {}", word, least, most),
                      place(*node), "index = 1 and count = 2 are the second of two parts");
    return static_cast<unsigned>(found->get());
  }
  PortMapping port(const toml::table& from, const std::string& what, bool is_master) const {
    std::vector<std::string> words = signal_names();
    for (const char* word : {"prefix", "index", "count"}) words.emplace_back(word);
    allow_only(from, words);
    PortMapping result;
    result.is_master = is_master;
    result.where = place(from);
    result.prefix = text(from, "prefix");
    for (auto&& [key, entry] : from) {
      const std::string word(key.str());
      if (word == "prefix" || word == "index" || word == "count") continue;
      result.signals[word] = text(from, word.c_str());
    }
    result.count = number(from, "count", 1, kMostParts, 1);
    result.index = number(from, "index", 0, result.count - 1, 0);
    if (result.prefix.empty() && result.signals.empty())
      throw bad_input(fmt::format("{} names no pins", what), result.where,
                      "write prefix = \"...\", or pins by their signals: awaddr = \"...\"");
    return result;
  }

  std::string file_;
  toml::table root_;
};

std::string absolute(const std::string& path, const std::string& file) {
  return fs::absolute(fs::path(file).parent_path() / path).lexically_normal().string();
}

// Verilog: a number or a literal as it is, other text in quotes.
Parameter parameter_of(const Reader& reader, const std::string& name, const toml::node& node) {
  if (const auto* truth = node.as_boolean())
    return truth->get() ? Parameter{name, "1", "true"} : Parameter{name, "0", "false"};
  if (const auto* whole = node.as_integer())
    return {name, std::to_string(whole->get()), std::to_string(whole->get())};
  const auto* text = node.as_string();
  if (text == nullptr)
    throw bad_input(fmt::format("parameter {} is no number or text", name), reader.place(node),
                    fmt::format("write {} = 32, \"8'h2a\" or \"text\"", name));
  const std::string& value = text->get();
  const size_t digits = value.empty() || value[0] != '-' ? 0 : 1;
  const bool number =
      value.size() > digits && value.find_first_not_of("0123456789_", digits) == std::string::npos;
  const bool literal = value.find('\'') != std::string::npos || value.rfind('"', 0) == 0;
  return {name, number || literal ? value : '"' + value + '"', value};
}

}  // namespace

Mapping read_mapping(std::string_view text, const std::string& file) {
  const Reader reader(text, file);
  return reader.mapping(reader.root());
}

Description read_description(const std::string& path) {
  const Reader reader(read_whole_file(path, kDescription), path);
  const toml::table& root = reader.root();
  reader.allow_only(root, {"name", "top", "sources", "includes", "defines", "parameters",
                           "language", "verilator", "ports"});
  Description result;
  result.file = path;
  result.name = reader.text(root, "name");
  if (!is_identifier(result.name))
    throw bad_input(result.name.empty() ? "the block has no name"
                                        : fmt::format("\"{}\" is no name for a block", result.name),
                    root.contains("name") ? reader.place(*root.get("name")) : SourceLocation{path},
                    "write name = \"my_block\": a lower-case letter, then lower-case letters, "
                    "digits and _");
  result.top = reader.text(root, "top");
  if (result.top.empty()) result.top = result.name;
  for (const NamedPin& file : reader.texts(root, "sources")) {
    result.sources.push_back(absolute(file.name, path));
    if (!fs::is_regular_file(result.sources.back()))
      throw bad_input(fmt::format("there is no source {}", result.sources.back()), file.where,
                      "paths are relative to this file");
  }
  if (result.sources.empty())
    throw bad_input("the block has no sources", {path}, "write sources = [\"a.v\", \"b.sv\"]");
  for (const NamedPin& folder : reader.texts(root, "includes"))
    result.includes.push_back(absolute(folder.name, path));
  for (const NamedPin& define : reader.texts(root, "defines"))
    result.defines.push_back(define.name);
  for (const NamedPin& option : reader.texts(root, "verilator"))
    result.verilator_options.push_back(option.name);
  result.language = reader.text(root, "language");
  if (const toml::node* parameters = root.get("parameters"))
    for (auto&& [key, node] : reader.table(*parameters, "parameters"))
      result.parameters.push_back(parameter_of(reader, std::string(key.str()), node));
  if (const toml::node* ports = root.get("ports")) {
    if (ports->is_string()) {
      const std::string name = absolute(reader.text(root, "ports"), path);
      result.mapping = read_mapping(read_whole_file(name, kDescription), name);
    } else {
      result.mapping = reader.mapping(reader.table(*ports, "ports"));
    }
  }
  return result;
}

}  // namespace gvp::tools::rtl
