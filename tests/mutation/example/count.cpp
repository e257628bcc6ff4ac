// SPDX-License-Identifier: Apache-2.0
#include "counter/counter.h"

int main() {
  Counter counter;
  return counter.next() + 2;
}
