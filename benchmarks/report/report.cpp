// SPDX-License-Identifier: Apache-2.0
// Writes docs/performance.md: fills the figures of one benchmark run into the template.
// usage: bench-report TEMPLATE RESULTS_DIRECTORY OUTPUT
//
// RESULTS_DIRECTORY has a PROGRAM.json of each benchmark program, as Google Benchmark writes it.
// In the template {{PROGRAM BENCHMARK COUNTER SCALE DIGITS}} stands for that counter, divided by
// the scale and with so many digits after the point; {{cpu}} for the name of the machine's
// processor, {{cpus}} for how many it has, {{load}} for its load average now.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "models/base/error.h"

namespace {

using gvp::bad_input;

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw bad_input("cannot be read", {path});
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string processor() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

class Results {
 public:
  explicit Results(std::string directory) : directory_(std::move(directory)) {}

  double value(const std::string& program, const std::string& benchmark,
               const std::string& counter) {
    for (const auto& each : file(program).at("benchmarks"))
      if (each.at("name") == benchmark && each.contains(counter))
        return each.at(counter).get<double>();
    throw bad_input(fmt::format("no counter \"{}\" of benchmark \"{}\"", counter, benchmark),
                    {path_of(program)});
  }

 private:
  std::string path_of(const std::string& program) const {
    return directory_ + '/' + program + ".json";
  }
  const nlohmann::json& file(const std::string& program) {
    auto found = files_.find(program);
    if (found == files_.end())
      found = files_.emplace(program, nlohmann::json::parse(read_text(path_of(program)))).first;
    return found->second;
  }

  std::string directory_;
  std::map<std::string, nlohmann::json> files_;
};

std::string figure(const std::string& text, Results& results) {
  if (text == "cpu") return processor();
  if (text == "cpus") return std::to_string(std::thread::hardware_concurrency());
  if (text == "load") {
    double average = 0;
    return getloadavg(&average, 1) == 1 ? fmt::format("{:.0f}", average) : "unknown";
  }
  std::istringstream words(text);
  std::string program, benchmark, counter;
  double scale = 0;
  int digits = 0;
  if (!(words >> program >> benchmark >> counter >> scale >> digits) || scale == 0)
    throw bad_input("\"{{" + text + "}}\" is not {{PROGRAM BENCHMARK COUNTER SCALE DIGITS}}");
  return fmt::format("{:.{}f}", results.value(program, benchmark, counter) / scale, digits);
}

std::string fill(const std::string& text, Results& results) {
  std::string filled;
  for (size_t at = 0;;) {
    const size_t begin = text.find("{{", at);
    filled += text.substr(at, begin - at);
    if (begin == std::string::npos) return filled;
    const size_t end = text.find("}}", begin);
    if (end == std::string::npos) throw bad_input("a {{ in the template without its }}");
    filled += figure(text.substr(begin + 2, end - begin - 2), results);
    at = end + 2;
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 4) {
    fmt::print(stderr, "usage: bench-report TEMPLATE RESULTS_DIRECTORY OUTPUT\n");
    return 126;
  }
  try {
    Results results(argv[2]);
    const std::string text = fill(read_text(argv[1]), results);
    std::ofstream stream(argv[3], std::ios::binary | std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream) throw bad_input("cannot be written", {argv[3]});
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench-report: {}\n", error.what());
    return 126;
  }
  return 0;
}
