// SPDX-License-Identifier: Apache-2.0
// usage: write_synthetic_trace FILE RECORDS [WARPS [MEMORY_NS]]
#include <cstdio>
#include <cstdlib>

#include "tests/tools/trace-report/synthetic_trace.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: write_synthetic_trace FILE RECORDS [WARPS [MEMORY_NS]]\n", stderr);
    return 126;
  }
  gvp::test::TraceOptions options;
  options.records = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) options.warps = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
  if (argc > 4) options.memory_ns = std::strtoull(argv[4], nullptr, 10);
  gvp::test::write_trace(argv[1], options);
}
