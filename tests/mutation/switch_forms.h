// SPDX-License-Identifier: Apache-2.0
// What switches.py puts into mutated sources, once as ordinary functions and once as constexpr ones
// (GVP_SWITCH_CONSTEXPR); included by switch.h, inside a namespace.  No include guard: twice on
// purpose.

// Whether a mutant is the one that runs; notes that its place was reached.
template <class = void>
GVP_SWITCH_CONSTEXPR bool on(unsigned number) {
#ifdef GVP_SWITCH_CONSTANT
  return __builtin_is_constant_evaluated() ? false : gvp_mutation::is_on(number);
#else
  return gvp_mutation::is_on(number);
#endif
}

template <class Changed, class Original>
GVP_SWITCH_CONSTEXPR Original pick(unsigned number, Changed changed, Original original) {
  return on(number) ? static_cast<Original>(changed) : original;
}

template <class Condition>
GVP_SWITCH_CONSTEXPR bool flip(unsigned number, const Condition& condition) {
  return static_cast<bool>(condition) != on(number);
}

template <class Value>
GVP_SWITCH_CONSTEXPR auto minus(unsigned number, const Value& value) -> decltype(-value) {
  if (on(number)) return value;
  return -value;
}

template <class Value>
GVP_SWITCH_CONSTEXPR auto complement(unsigned number, const Value& value) -> decltype(~value) {
  if (on(number)) return value;
  return ~value;
}

template <class Value>
GVP_SWITCH_CONSTEXPR decltype(auto) increment_before(unsigned number, Value&& value) {
  return on(number) ? --value : ++value;
}

template <class Value>
GVP_SWITCH_CONSTEXPR decltype(auto) decrement_before(unsigned number, Value&& value) {
  return on(number) ? ++value : --value;
}

template <class Value>
GVP_SWITCH_CONSTEXPR auto increment_after(unsigned number, Value&& value) {
  return on(number) ? value-- : value++;
}

template <class Value>
GVP_SWITCH_CONSTEXPR auto decrement_after(unsigned number, Value&& value) {
  return on(number) ? value++ : value--;
}

// A binary operator.  `a + b` becomes `a + Site<Plus, As<17, Minus>>{} + b`, which the compiler
// groups as it did the original, whatever a and b are: `a + Site` keeps a, and what comes of it `+
// b` computes.
template <class Original, class... Changed>
struct Site {};
template <unsigned number, class Operator>
struct As {};
template <class Value, class Place>
struct Left {
  const Value& value;
};
template <class Value, class Place>
struct Right {
  const Value& value;
};

template <class Result, class Original>
struct Choice {
  template <class L, class R>
  static GVP_SWITCH_CONSTEXPR Result of(const L& left, const R& right) {
    return Original::of(left, right);
  }
  template <class L, class R>
  static GVP_SWITCH_CONSTEXPR void assign(L& left, const R& right) {
    Original::of(left, right);
  }
};

template <class Result, class Original, class... Changed>
struct Choose : Choice<Result, Original> {};

template <class Result, class Original, unsigned number, class Operator, class... Changed>
struct Choose<Result, Original, As<number, Operator>, Changed...> {
  template <class L, class R>
  static GVP_SWITCH_CONSTEXPR Result of(const L& left, const R& right) {
    if (on(number)) return static_cast<Result>(Operator::of(left, right));
    return Choose<Result, Original, Changed...>::of(left, right);
  }
  template <class L, class R>
  static GVP_SWITCH_CONSTEXPR void assign(L& left, const R& right) {
    if (on(number)) {
      Operator::of(left, right);
    } else {
      Choose<Result, Original, Changed...>::assign(left, right);
    }
  }
};

#define GVP_SWITCH_BINARY(NAME, OPERATOR)                                                      \
  struct NAME {                                                                                \
    template <class L, class R>                                                                \
    static constexpr auto of(const L& left, const R& right) -> decltype(left OPERATOR right) { \
      return left OPERATOR right;                                                              \
    }                                                                                          \
  };                                                                                           \
  template <class L, class... Changed>                                                         \
  GVP_SWITCH_CONSTEXPR Left<L, Site<NAME, Changed...>> operator OPERATOR(                      \
      const L& left, Site<NAME, Changed...> /*place*/) {                                       \
    return {left};                                                                             \
  }                                                                                            \
  template <class L, class... Changed, class R>                                                \
  GVP_SWITCH_CONSTEXPR auto operator OPERATOR(Left<L, Site<NAME, Changed...>> left,            \
                                              const R& right)                                  \
      ->std::decay_t<decltype(NAME::of(left.value, right))> {                                  \
    using Result = std::decay_t<decltype(NAME::of(left.value, right))>;                        \
    return Choose<Result, NAME, Changed...>::of(left.value, right);                            \
  }

GVP_SWITCH_BINARY(Less, <)
GVP_SWITCH_BINARY(LessEqual, <=)
GVP_SWITCH_BINARY(Greater, >)
GVP_SWITCH_BINARY(GreaterEqual, >=)
GVP_SWITCH_BINARY(Equal, ==)
GVP_SWITCH_BINARY(NotEqual, !=)
GVP_SWITCH_BINARY(Plus, +)
GVP_SWITCH_BINARY(Minus, -)
GVP_SWITCH_BINARY(Times, *)
GVP_SWITCH_BINARY(Divide, /)
GVP_SWITCH_BINARY(Modulo, %)
GVP_SWITCH_BINARY(And, &)
GVP_SWITCH_BINARY(Or, |)
GVP_SWITCH_BINARY(Xor, ^)
GVP_SWITCH_BINARY(ShiftLeft, <<)
GVP_SWITCH_BINARY(ShiftRight, >>)
#undef GVP_SWITCH_BINARY

// `a += b` becomes `a += Site{} += b`, which groups from the right: `Site += b` keeps b.
#define GVP_SWITCH_ASSIGN(NAME, OPERATOR)                                                       \
  struct NAME {                                                                                 \
    template <class L, class R>                                                                 \
    static constexpr void of(L& left, const R& right) {                                         \
      left OPERATOR right;                                                                      \
    }                                                                                           \
  };                                                                                            \
  template <class... Changed, class R>                                                          \
  GVP_SWITCH_CONSTEXPR Right<R, Site<NAME, Changed...>> operator OPERATOR(                      \
      Site<NAME, Changed...> /*place*/, const R& right) {                                       \
    return {right};                                                                             \
  }                                                                                             \
  template <class L, class... Changed, class R>                                                 \
  GVP_SWITCH_CONSTEXPR L& operator OPERATOR(L&& left, Right<R, Site<NAME, Changed...>> right) { \
    Choose<void, NAME, Changed...>::assign(left, right.value);                                  \
    return left;                                                                                \
  }

GVP_SWITCH_ASSIGN(PlusAssign, +=)
GVP_SWITCH_ASSIGN(MinusAssign, -=)
GVP_SWITCH_ASSIGN(TimesAssign, *=)
GVP_SWITCH_ASSIGN(DivideAssign, /=)
GVP_SWITCH_ASSIGN(AndAssign, &=)
GVP_SWITCH_ASSIGN(OrAssign, |=)
GVP_SWITCH_ASSIGN(XorAssign, ^=)
GVP_SWITCH_ASSIGN(ShiftLeftAssign, <<=)
GVP_SWITCH_ASSIGN(ShiftRightAssign, >>=)
#undef GVP_SWITCH_ASSIGN
