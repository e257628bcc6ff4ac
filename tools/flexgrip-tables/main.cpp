// SPDX-License-Identifier: Apache-2.0
// flexgrip-tables FOLDER: writes the packages of FlexGrip's RTL that are made from the models'
// tables (tables.h) into a folder, usually rtl/flexgrip.
#include <cstdio>
#include <fstream>
#include <string>

#include "tools/flexgrip-tables/tables.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: flexgrip-tables FOLDER\n");
    return 2;
  }
  for (const gvp::tools::Package& package : gvp::tools::flexgrip_packages()) {
    const std::string path = std::string(argv[1]) + '/' + package.file;
    std::ofstream file(path, std::ios::binary);
    file << package.text;
    if (!file.flush()) {
      std::fprintf(stderr, "cannot write %s\n", path.c_str());
      return 1;
    }
  }
  return 0;
}
