// SPDX-License-Identifier: Apache-2.0
// main() of the tests that elaborate SystemC modules.  A process can elaborate only once, so
// when several tests are selected each runs in a process of its own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <systemc>
#include <vector>

namespace {

std::vector<std::string> selected_tests() {
  std::vector<std::string> names;
  const testing::UnitTest& unit_test = *testing::UnitTest::GetInstance();
  for (int s = 0; s < unit_test.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *unit_test.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t)
      names.push_back(std::string(suite.name()) + "." + suite.GetTestInfo(t)->name());
  }
  return names;
}

int run_each_alone(const char* program, const std::vector<std::string>& names) {
  int failed = 0;
  for (const std::string& name : names) {
    const pid_t child = fork();
    if (child == 0) {
      const std::string filter = "--gtest_filter=" + name;
      execl(program, program, filter.c_str(), "--gtest_brief=1", static_cast<char*>(nullptr));
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      std::printf("FAILED %s\n", name.c_str());
      ++failed;
      if (testing::GTEST_FLAG(fail_fast)) break;
    }
  }
  std::printf("%zu passed, %d failed\n", names.size() - static_cast<size_t>(failed), failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  const bool filtered = [&] {
    for (int i = 1; i < argc; ++i)
      if (std::string(argv[i]).rfind("--gtest_", 0) == 0) return true;
    return false;
  }();
  testing::InitGoogleTest(&argc, argv);
  if (!filtered) return run_each_alone("/proc/self/exe", selected_tests());
  return RUN_ALL_TESTS();
}

int main(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
