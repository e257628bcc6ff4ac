// SPDX-License-Identifier: Apache-2.0
// leak_check [lose]: SystemC processes that end, and others that wait to the end of the simulation;
// with "lose" they forget what they allocated: under the address sanitizer its leak checker must
// say so, and nothing without.
#include <cstddef>
#include <string>
#include <systemc>
#include <vector>

namespace {

SC_MODULE(Processes) {
  Processes(const sc_core::sc_module_name& name, bool lose) : sc_module(name), lose_(lose) {
    SC_HAS_PROCESS(Processes);
    SC_THREAD(allocate);
    SC_THREAD(hold);
  }

 private:
  void hold() {
    const std::vector<char> memory(1000);
    sc_core::wait(sc_core::sc_event());
  }
  void allocate() {
    constexpr int kProcesses = 20;
    for (int i = 0; i < kProcesses; ++i) {
      sc_core::sc_spawn([this] {
        std::vector<char>* const memory = new std::vector<char>(1000);
        sc_core::wait(1, sc_core::SC_NS);
        if (!lose_) delete memory;
      });
    }
  }

  bool lose_;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  Processes processes("processes", argc > 1 && std::string(argv[1]) == "lose");
  sc_core::sc_start();
  return 0;
}
