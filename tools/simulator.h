// SPDX-License-Identifier: Apache-2.0
// What tools that simulate share: from main to the one function that does what a command line asks
// for.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <systemc>

#include "tools/console.h"

namespace gvp::tools {

// For sc_main.  Request: what a command line asks for, with an action of kHelp, kVersion or
// another, which simulate does; returns the program's exit code.
template <typename Request>
int run_simulator(std::string_view name, int argc, char** argv,
                  Request (*parse)(int argc, const char* const argv[]), std::string (*help)(),
                  int (*simulate)(const Request& request)) {
  return run_guarded(name, [&] {
    const Request request = parse(argc, argv);
    if (request.action == Request::Action::kHelp)
      std::cout << help();
    else if (request.action == Request::Action::kVersion)
      std::cout << name << " " GVP_VERSION "\n";
    else
      return simulate(request);
    return 0;
  });
}

// For main: calls sc_main, without SystemC's copyright notice.
inline int elaborate_and_simulate(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}

}  // namespace gvp::tools
