// SPDX-License-Identifier: Apache-2.0
// Waveform files, as GTKWave's own tools read them: fst2vcd, vcd2fst (package gtkwave).
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace gvp::test {

struct Wave {
  unsigned bits = 0;
  std::vector<std::pair<uint64_t, std::string>>
      changes;  // time, value: digits without leading zeros

  // Numbers alone; what has no value yet is left out.
  std::vector<std::pair<uint64_t, uint64_t>> numbers() const {
    std::vector<std::pair<uint64_t, uint64_t>> result;
    for (const auto& [time, value] : changes)
      if (value.find_first_not_of("01") == std::string::npos)
        result.emplace_back(time, std::stoull(value, nullptr, 2));
    return result;
  }
  uint64_t last() const {
    const auto all = numbers();
    return all.empty() ? 0 : all.back().second;
  }
};
using Waves = std::map<std::string, Wave>;  // by their full names, "ports.cpu.reads"

inline bool have_wave_tools() { return std::system("command -v fst2vcd >/dev/null") == 0; }

// A .vcd, made whole: value changes with their times, definitions in any number of pieces.
inline Waves parse_vcd(const std::string& path) {
  std::ifstream stream(path);
  Waves waves;
  std::multimap<std::string, std::string> names;  // by identifier
  std::vector<std::string> scopes;
  uint64_t time = 0;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word.empty() || word == "$end") continue;
    if (word == "$scope") {
      words >> word >> word;
      scopes.push_back(word);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      std::string type, bits, identifier, name, full;
      words >> type >> bits >> identifier >> name;
      for (const std::string& scope : scopes) full += scope + '.';
      full += name.substr(0, name.find('['));
      names.emplace(identifier, full);
      waves[full].bits = type == "string" ? 0 : static_cast<unsigned>(std::stoul(bits));
    } else if (word[0] == '#') {
      time = std::stoull(word.substr(1));
    } else if (word[0] != '$') {
      const bool scalar = word[0] != 'b' && word[0] != 's' && word[0] != 'r';
      std::string value = scalar ? word.substr(0, 1) : word.substr(1);
      std::string identifier = scalar ? word.substr(1) : "";
      if (!scalar) words >> identifier;
      if (word[0] == 'b') {
        const size_t digit = value.find_first_not_of('0');
        value = digit == std::string::npos ? "0" : value.substr(digit);
      }
      const auto [first, last] = names.equal_range(identifier);
      for (auto name = first; name != last; ++name)
        waves[name->second].changes.emplace_back(time, value);
    }
  }
  return waves;
}

// What the tools make of a .fst, or of a .vcd that becomes a .fst on its way.
inline Waves read_waves(const std::string& path) {
  const std::string fst = path.substr(path.size() - 4) == ".fst" ? path : path + ".fst";
  const std::string vcd = path + ".read";
  int status = 0;
  if (fst != path)
    status = std::system(("vcd2fst '" + path + "' '" + fst + "' >/dev/null 2>&1").c_str());
  if (status == 0)
    status = std::system(("fst2vcd -e '" + fst + "' > '" + vcd + "' 2>/dev/null").c_str());
  Waves waves;
  if (status == 0) waves = parse_vcd(vcd);
  if (fst != path) std::remove(fst.c_str());
  std::remove(vcd.c_str());
  return waves;
}

}  // namespace gvp::test
