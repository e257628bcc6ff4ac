// SPDX-License-Identifier: Apache-2.0
// The tests of the MicroBlaze run once with each engine: GVP_TEST_ENGINE=jit makes them translate
// every block when it is first executed.
#pragma once

#include <cstdlib>
#include <string>

#include "models/host/configuration.h"

namespace gvp::test {

inline host::Configuration with_tested_engine(host::Configuration configuration) {
  const char* engine = std::getenv("GVP_TEST_ENGINE");
  if (engine == nullptr || std::string(engine).empty()) return configuration;
  configuration.engine = engine;
  configuration.jit_threshold = 1;
  return configuration;
}

}  // namespace gvp::test
