// SPDX-License-Identifier: Apache-2.0
// Formatters of C++ take "<<<" for "<<" and "<", and ">>>" for ">>" and ">".
#include "tools/kcc/front_end/launch_brackets.h"

#include <gtest/gtest.h>

namespace gvp::kcc {
namespace {

TEST(LaunchBrackets, OfLaunchesAreJoined) {
  EXPECT_EQ(with_whole_launch_brackets("k<T> << <g, 32 >> >(p);"), "k<T> <<< g, 32 >>> (p);");
  EXPECT_EQ(with_whole_launch_brackets("k << < 1, 2, 0 >> > (p);"), "k <<<  1, 2, 0 >>>  (p);");
  EXPECT_EQ(with_whole_launch_brackets("k<<<1, n >> 2>> >(p);"), "k<<<1, n >> 2>>> (p);");
  EXPECT_EQ(with_whole_launch_brackets("k << <1, 2>>>(p);"), "k <<< 1, 2>>>(p);");
  EXPECT_EQ(with_whole_launch_brackets("f[2] << <1,\n  2>> >\n(p);"), "f[2] <<< 1,\n  2>>> \n(p);");
}

TEST(LaunchBrackets, EachLaunchHasItsOwn) {
  EXPECT_EQ(with_whole_launch_brackets("a ? k << <1, 2>> >(p) : q << <3, 4>> >(p); g<A<B> >(1);"),
            "a ? k <<< 1, 2>>> (p) : q <<< 3, 4>>> (p); g<A<B> >(1);");
  EXPECT_EQ(with_whole_launch_brackets("{ k << <1, f<A<B<C>> >(x) >> >(g<A<B<C>> >(p)); }"),
            "{ k <<< 1, f<A<B<C>> >(x) >>> (g<A<B<C>> >(p)); }");
}

TEST(LaunchBrackets, NothingElseIs) {
  for (const char* text :
       {"a << b < c >> d;", "cout << x << (y < z);", "A<B<C> > d; A<B<C<D>> > e(1);",
        "f<A<B<C>> >(x);", "operator<< <T>(s, t), f<A<B<C>> >(x);",
        "k << <1, 2>> q; f<A<B<C>> >(x);", "\"k << <1, 2>> >(p)\"", "// k << <1, 2>> >(p)\n",
        "k <<\n<1, 2>> >(p);", "f(k << <1, 2); g<A<B<C>> >(x);", "k << <1", "k << <",
        "<< <1>> >(p)"})
    EXPECT_EQ(with_whole_launch_brackets(text), text);
}

}  // namespace
}  // namespace gvp::kcc
