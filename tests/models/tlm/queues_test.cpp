// SPDX-License-Identifier: Apache-2.0
// Ring and IdOrder.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "models/tlm/id_order.h"
#include "models/tlm/ring.h"
#include "tests/support/seed.h"

namespace gvp::kit {
namespace {

TEST(Ring, HoldsWhatADequeHolds) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  Ring<int> ring;
  std::deque<int> expected;
  for (int i = 0; i < 2000; ++i) {
    const auto choice = random() % 5;
    if (choice < 2) {
      ring.push_back(i);
      expected.push_back(i);
    } else if (choice == 2) {
      ring.push_front(i);
      expected.push_front(i);
    } else if (!expected.empty()) {
      ring.pop_front();
      expected.pop_front();
    }
    ASSERT_EQ(ring.empty(), expected.empty());
    ASSERT_EQ(ring.size(), expected.size());
    if (!expected.empty()) {
      ASSERT_EQ(ring.front(), expected.front());
    }
    for (size_t place = 0; place < expected.size(); ++place)
      ASSERT_EQ(ring[place], expected[place]);
  }
}

struct Transaction {
  IdLink<Transaction> chain;
};

TEST(IdOrder, EachIdHasItsOwnOldest) {
  Transaction a, b, other;
  a.chain.id = b.chain.id = 3;
  other.chain.id = 4;
  IdOrder<Transaction> order;
  order.add(a);
  order.add(other);
  order.add(b);
  EXPECT_TRUE(a.chain.oldest);
  EXPECT_TRUE(other.chain.oldest);
  EXPECT_FALSE(b.chain.oldest) << "a is older";
  EXPECT_EQ(order.remove(other), nullptr);
  EXPECT_EQ(order.remove(a), &b);
  EXPECT_TRUE(b.chain.oldest);
  EXPECT_EQ(order.remove(b), nullptr);
  Transaction late;
  late.chain.id = 3;
  order.add(late);
  EXPECT_TRUE(late.chain.oldest) << "nobody with this ID is left";
}

}  // namespace
}  // namespace gvp::kit
