// SPDX-License-Identifier: Apache-2.0
// Counts up to a limit, and forgets how often it was asked.
#pragma once

class Counter {
 public:
  int next();
  bool at_limit() const { return count_ >= kLimit; }

 private:
  static constexpr int kLimit = 3;
  int count_ = 0;
  int asked_ = 0;
};
