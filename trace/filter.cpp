// SPDX-License-Identifier: Apache-2.0
#include "trace/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "models/base/nearest.h"
#include "trace/sink.h"

namespace gvp::trace {
namespace {

constexpr unsigned kOnRequest =
    static_cast<unsigned>(Subject::kWarps) | static_cast<unsigned>(Subject::kStages) |
    static_cast<unsigned>(Subject::kFunctions) | static_cast<unsigned>(Subject::kLocal) |
    static_cast<unsigned>(Subject::kPins) | static_cast<unsigned>(Subject::kAccesses);
constexpr unsigned kUsual = ((1u << kSubjects) - 1) & ~kOnRequest;
constexpr const char* kKeys[] = {"port",   "target",   "address", "command", "errors", "latency",
                                 "kernel", "function", "time",    "trigger", "record"};

class Parser {
 public:
  Parser(std::string_view text, const SourceLocation& start) : text_(text), start_(start) {}

  Filter parse() {
    for (size_t at = 0; at <= text_.size();) {
      const size_t end = std::min(text_.find(',', at), text_.size());
      term(at, text_.substr(at, end - at));
      at = end + 1;
    }
    filter_.usual = filter_.subjects == 0;
    if (filter_.usual) filter_.subjects = kUsual;
    return std::move(filter_);
  }

 private:
  [[noreturn]] void refuse(size_t at, const std::string& what, const std::string& remedy) const {
    throw bad_input(what, {start_.file, start_.line, start_.column + static_cast<uint32_t>(at)},
                    remedy);
  }

  void term(size_t at, std::string_view term) {
    const size_t equals = term.find('=');
    const std::string key(term.substr(0, equals));
    const bool known = std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
    if (!known) refuse_key(at, key);
    if (key == "errors") {
      if (equals != std::string_view::npos)
        refuse(at + equals, "errors takes no value", "write errors alone");
      filter_.errors = true;
      return;
    }
    if (equals == std::string_view::npos || equals + 1 == term.size())
      refuse(at + term.size(), fmt::format("{} has no value", key), example(key));
    value(key, at + equals + 1, term.substr(equals + 1));
  }

  [[noreturn]] void refuse_key(size_t at, const std::string& key) const {
    std::string all;
    for (const char* each : kKeys) all += (all.empty() ? "" : ", ") + std::string(each);
    const std::vector<std::string> keys(std::begin(kKeys), std::end(kKeys));
    const std::string near = nearest(key, keys);
    refuse(at,
           key.empty() ? "a term of the filter is empty"
                       : fmt::format("unknown term \"{}\" of the filter{}", key,
                                     near.empty() ? "" : fmt::format(" (did you mean {}?)", near)),
           "known are " + all);
  }

  static std::string example(const std::string& key) {
    if (key == "address") return "write address=0x50000000..0x50000fff";
    if (key == "command") return "write command=read or command=write";
    if (key == "latency") return "write latency=500ns.. for those that take at least so long";
    if (key == "time") return "write time=1ms..2ms";
    if (key == "trigger") return "write trigger=FROM..TO, functions of the host or kernels";
    if (key == "record") return "write record=transactions|kernels";
    return fmt::format("write {}=NAME or {}=NAME|NAME", key, key);
  }

  void value(const std::string& key, size_t at, std::string_view value) {
    if (key == "port") filter_.ports = names(at, value);
    if (key == "target") filter_.targets = names(at, value);
    if (key == "kernel") filter_.kernels = names(at, value);
    if (key == "function") filter_.functions = names(at, value);
    if (key == "command") filter_.command = command(at, value);
    if (key == "latency") filter_.latency = range(at, value, &Parser::time, key);
    if (key == "time") filter_.time = range(at, value, &Parser::time, key);
    if (key == "trigger") trigger(at, value);
    if (key == "address")
      each(at, value, [&](size_t where, std::string_view one) {
        filter_.addresses.push_back(range(where, one, &Parser::address, key));
      });
    if (key == "record")
      each(at, value, [&](size_t where, std::string_view one) { record(where, one); });
  }

  template <typename Function>
  void each(size_t at, std::string_view value, Function function) const {
    for (size_t begin = 0; begin <= value.size();) {
      const size_t end = std::min(value.find('|', begin), value.size());
      if (end == begin)
        refuse(at + begin, "an alternative is empty", "write NAME|NAME, without a | at the end");
      function(at + begin, value.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  Patterns names(size_t at, std::string_view value) const {
    std::vector<std::string> patterns;
    each(at, value, [&](size_t, std::string_view one) { patterns.emplace_back(one); });
    return Patterns(std::move(patterns));
  }

  Command command(size_t at, std::string_view value) const {
    if (value == "read") return Command::kRead;
    if (value == "write") return Command::kWrite;
    refuse(at, fmt::format("unknown command \"{}\"", value), "read or write");
  }

  void record(size_t at, std::string_view value) {
    std::string all = "all";
    for (unsigned i = 0; i < kSubjects; ++i) {
      const std::string_view name = to_string(subject_at(i));
      if (value == name || value == "all") filter_.subjects |= 1u << i;
      if (value == name) filter_.named |= 1u << i;
      if (value == name) return;
      all += fmt::format(", {}", name);
    }
    if (value != "all")
      refuse(at, fmt::format("unknown records \"{}\"", value), "known are " + all);
  }

  void trigger(size_t at, std::string_view value) {
    const size_t dots = value.find("..");
    filter_.trigger_from = value.substr(0, dots);
    if (dots != std::string_view::npos) filter_.trigger_to = value.substr(dots + 2);
    if (filter_.trigger_from.empty())
      refuse(at, "the trigger does not say where to begin", example("trigger"));
  }

  // A..B, A.., ..B; an address alone is that byte, a time alone the least.
  Range range(size_t at, std::string_view value,
              uint64_t (Parser::*end)(size_t, std::string_view) const,
              const std::string& key) const {
    const size_t dots = value.find("..");
    Range result;
    const std::string_view first = value.substr(0, dots);
    const std::string_view last =
        dots == std::string_view::npos ? std::string_view() : value.substr(dots + 2);
    if (first.empty() && last.empty()) refuse(at, "the range has no ends", example(key));
    if (!first.empty()) result.first = (this->*end)(at, first);
    if (!last.empty()) result.last = (this->*end)(at + dots + 2, last);
    if (dots == std::string_view::npos && key == "address") result.last = result.first;
    if (result.last < result.first)
      refuse(at, fmt::format("the range {} ends before it begins", value), "the smaller end first");
    return result;
  }

  uint64_t address(size_t at, std::string_view text) const {
    const bool hexadecimal = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
    const std::string_view digits = hexadecimal ? text.substr(2) : text;
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number,
                                              hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != digits.data() + digits.size())
      refuse(at, fmt::format("\"{}\" is not an address", text), example("address"));
    return number;
  }

  uint64_t time(size_t at, std::string_view text) const {
    struct Unit {
      std::string_view name;
      uint64_t picoseconds;
    };
    constexpr Unit kUnits[] = {
        {"ps", 1}, {"ns", 1000}, {"us", 1000000}, {"ms", 1000000000}, {"s", 1000000000000}};
    const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + digits, number);
    for (const Unit& unit : kUnits) {
      if (error != std::errc{} || end != text.data() + digits || text.substr(digits) != unit.name)
        continue;
      const double picoseconds = number * static_cast<double>(unit.picoseconds);
      if (picoseconds <= 1e18) return static_cast<uint64_t>(std::llround(picoseconds));
    }
    refuse(at, fmt::format("\"{}\" is not a time", text),
           "a number with ps, ns, us, ms or s, such as 10us");
  }

  std::string_view text_;
  SourceLocation start_;
  Filter filter_;
};

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  // Greedy, with one place to come back to: the last star.
  size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool Patterns::match(const std::string& text) const {
  return any() || std::any_of(patterns_.begin(), patterns_.end(),
                              [&](const std::string& pattern) { return matches(pattern, text); });
}

Filter parse_filter(std::string_view text, const SourceLocation& start) {
  return Parser(text, start).parse();
}

Specification parse_specification(const std::string& text, const SourceLocation& start) {
  // A name may have colons in it: the filter begins behind a known suffix.
  size_t colon = std::string::npos;
  for (size_t at = text.find(':'); at != std::string::npos && colon == std::string::npos;
       at = text.find(':', at + 1))
    if (find_format(text.substr(0, at)) != nullptr) colon = at;
  Specification result;
  result.file = text.substr(0, colon);
  if (find_format(result.file) == nullptr) {
    std::string all;
    for (const Format& format : formats())
      all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", format.suffix, format.description);
    throw bad_input(fmt::format("\"{}\" does not say what to write", result.file), start,
                    "the suffix decides: " + all);
  }
  result.filter.subjects = kUsual;
  if (colon != std::string::npos)
    result.filter =
        parse_filter(std::string_view(text).substr(colon + 1),
                     {start.file, start.line, start.column + static_cast<uint32_t>(colon + 1)});
  if (result.filter.usual) result.filter.subjects |= find_format(result.file)->more;
  return result;
}

}  // namespace gvp::trace
