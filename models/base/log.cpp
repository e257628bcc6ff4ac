// SPDX-License-Identifier: Apache-2.0
#include "models/base/log.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/base/error.h"
#include "models/base/logged_errors.h"
#include "models/base/standard_streams.h"

namespace gvp {
namespace {

constexpr const char* kLevelNames[] = {"error", "warning", "info", "debug", "trace"};

// A guest caught in a loop of bus errors would write millions of lines a minute.
constexpr int kWarningsOfAModule = 1000;

// Logs are static objects in many translation units: the registry is created on first use.
struct Registry {
  std::vector<std::pair<std::string, std::atomic<int>*>> levels;
  std::map<std::string, int> warnings;  // written so far, by module
  std::map<std::string, int> errors;    // the same
  std::set<std::string> asked_for;      // modules that --log names: all of theirs is written
  std::function<void(LogLevel, const std::string&)> sink;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

std::string known_modules() {
  std::string text;
  for (const std::string& name : Log::modules()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Whether one more warning of the module is to be written; the last one says that it is.
bool may_warn(const char* module, std::string& text) {
  if (registry().asked_for.count(module) != 0) return true;
  const int number = ++registry().warnings[module];
  if (number == kWarningsOfAModule) {
    text +=
        fmt::format(" (warning {} of {}: the next ones are not shown; --log warning:{} shows all)",
                    number, module, module);
  }
  return number <= kWarningsOfAModule;
}

}  // namespace

Log::Log(const char* module) : module_(module), level_(static_cast<int>(LogLevel::kWarning)) {
  registry().levels.emplace_back(module, &level_);
}

void Log::configure(std::string_view specification) {
  const std::vector<std::string> all = modules();
  if (std::find(all.begin(), all.end(), specification) != all.end())
    return configure("trace:" + std::string(specification));
  const size_t colon = specification.find(':');
  const std::string level_name(specification.substr(0, colon));
  int level = static_cast<int>(LogLevel::kOff);
  const auto* found = std::find(std::begin(kLevelNames), std::end(kLevelNames), level_name);
  if (found != std::end(kLevelNames)) {
    level = static_cast<int>(found - std::begin(kLevelNames));
  } else if (level_name != "off") {
    throw bad_input(fmt::format("unknown log level \"{}\"", level_name), {"--log"},
                    "levels are off, error, warning, info, debug, trace; a module alone is all of "
                    "its messages: " +
                        known_modules());
  }
  const std::string module(colon == std::string_view::npos ? "" : specification.substr(colon + 1));
  if (!module.empty()) registry().asked_for.insert(module);
  bool matched = colon == std::string_view::npos;
  for (auto& [name, target] : registry().levels) {
    if (!module.empty() && name != module) continue;
    matched = matched || name == module;
    target->store(level, std::memory_order_relaxed);
  }
  if (!matched)
    throw bad_input(fmt::format("unknown log module \"{}\"", module), {"--log"},
                    "modules are " + known_modules());
}

std::vector<std::string> Log::modules() {
  std::vector<std::string> names;
  for (const auto& entry : registry().levels) names.push_back(entry.first);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

int logged_errors(const std::string& module) {
  const auto found = registry().errors.find(module);
  return found == registry().errors.end() ? 0 : found->second;
}

void Log::set_sink(std::function<void(LogLevel, const std::string&)> sink) {
  registry().sink = std::move(sink);
}

void Log::emit(LogLevel level, const std::string& message) const {
  std::string text = message;
  if (level == LogLevel::kWarning && !may_warn(module_, text)) return;
  if (level == LogLevel::kError) ++registry().errors[module_];
  const std::string line =
      fmt::format("{}: {}: {}", kLevelNames[static_cast<int>(level)], module_, text);
  if (registry().sink) {
    registry().sink(level, line);
  } else {
    write_standard_error(line + '\n');
  }
}

}  // namespace gvp
