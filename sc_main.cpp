// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <systemc>

#include "platform/session.h"

int sc_main(int argc, char* argv[]) { return gvp::platform::run_program(argc, argv); }

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);  // --version names SystemC
  return sc_core::sc_elab_and_sim(argc, argv);
}
