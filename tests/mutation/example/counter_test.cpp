// SPDX-License-Identifier: Apache-2.0
#include "counter/counter.h"

int main() {
  Counter counter;
  for (int i = 1; i <= 3; ++i) {
    if (counter.at_limit()) return 1;
    counter.next();
  }
  return counter.at_limit() && counter.next() == 3 ? 0 : 1;
}
