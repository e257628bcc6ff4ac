// SPDX-License-Identifier: Apache-2.0
// The seeds of random tests.  A test has its own, so that every run is the same and a failure is
// one of the change that is tested.  From the environment:
//
//   GVP_TEST_SEED=NUMBER   that seed, for every random test: repeats a failure
//   GVP_TEST_SEED=random   one drawn from outside for each process, and printed: looks elsewhere
//
// A test traces text_of_seed(), so that what a failure prints is what repeats it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

namespace gvp::test {

inline std::string text_of_seed(uint64_t seed) { return "GVP_TEST_SEED=" + std::to_string(seed); }

// Throws std::invalid_argument for what is neither a number nor "random".
inline std::optional<uint32_t> seed_from_environment() {
  const char* text = std::getenv("GVP_TEST_SEED");
  if (text == nullptr) return std::nullopt;
  if (std::string(text) == "random") {
    const uint32_t drawn = std::random_device()();
    std::printf("%s\n", text_of_seed(drawn).c_str());
    std::fflush(stdout);
    return drawn;
  }
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || number > UINT32_MAX)
    throw std::invalid_argument("GVP_TEST_SEED=" + std::string(text) +
                                ": give a number of 32 bits or \"random\"");
  return static_cast<uint32_t>(number);
}

// The seed to use by a test whose own one this is.
inline uint32_t seed(uint32_t own) {
  static const std::optional<uint32_t> given = seed_from_environment();
  return given.value_or(own);
}

}  // namespace gvp::test
