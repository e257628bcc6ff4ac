// SPDX-License-Identifier: Apache-2.0
#include "counter/counter.h"

int Counter::next() {
  ++asked_;
  if (count_ < kLimit) count_ += 1;
  return count_;
}
