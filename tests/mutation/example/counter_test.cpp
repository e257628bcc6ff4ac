// SPDX-License-Identifier: Apache-2.0
#include "counter/counter.h"

int main() {
  Counter counter;
  while (!counter.at_limit()) counter.next();
  return counter.next() == 3 ? 0 : 1;
}
