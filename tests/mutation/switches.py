# SPDX-License-Identifier: Apache-2.0
"""Puts many mutants into one source, each behind a switch (switch.h): one build then serves them all.

A mutant's place is rewritten so that the compiler groups the expression as it did before: binary operators
by a pair of operators of the same precedence, the rest by brackets around operands whose ends are found
lexically.  What this gets wrong does not compile and is reported by the line, or is left to the way
without switches: a mutant compiled alone."""

from dataclasses import dataclass

import mutants

# How a place is written: as ordinary code, as code the compiler can evaluate (in constexpr functions), as a
# constexpr variable that becomes an ordinary one; or not at all.
ORDINARY, CONSTEXPR, VARIABLE, ALONE = "ordinary", "constexpr", "variable", "alone"
WEAKER = {ORDINARY: CONSTEXPR, CONSTEXPR: ALONE, VARIABLE: ALONE}  # what is tried where it does not compile

OPERATORS = {
    "<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual", "==": "Equal", "!=": "NotEqual", "+": "Plus",
    "-": "Minus", "*": "Times", "/": "Divide", "%": "Modulo", "&": "And", "|": "Or", "^": "Xor", "<<": "ShiftLeft",
    ">>": "ShiftRight", "+=": "PlusAssign", "-=": "MinusAssign", "*=": "TimesAssign", "/=": "DivideAssign",
    "&=": "AndAssign", "|=": "OrAssign", "^=": "XorAssign", "<<=": "ShiftLeftAssign", ">>=": "ShiftRightAssign",
}  # fmt: skip
# Ends an operand of && and ||, outside brackets.
LOOSER = set("|| ? : , ; = += -= *= /= %= &= |= ^= <<= >>= return throw case else do".split())
PREFIX = set("* & ! ~ - ++ --".split())
POSTFIX = set("++ --".split())


class CannotSwitch(Exception):
    pass


@dataclass
class Wrap:
    """`prefix` and `suffix` around the characters [start, end), or, with `replaced`, `prefix` instead of them."""

    start: int
    end: int
    prefix: str
    suffix: str = ""
    replaced: bool = False


class Source:
    def __init__(self, text):
        self.text = text
        self.tokens = mutants.tokens_of(text)
        self.partner = mutants.partners(self.tokens)
        self.at = {token.start: i for i, token in enumerate(self.tokens)}

    def form(self, mutant):
        """The form that a place is tried in first: is it in a constexpr function, or in a constexpr variable's value?"""
        index = self.at[mutant.start]
        i, words, in_body, skipping = index - 1, [], False, False
        while i >= 0:
            text = self.tokens[i].text
            ends_body = text == "}" and not self.is_value(self.partner.get(i, i))
            opens_body = text == "{" and not self.is_value(i)
            if text == ";" or ends_body or opens_body:
                if not skipping and "constexpr" in words:
                    before = words[words.index("constexpr") + 1 :][:1]
                    return CONSTEXPR if in_body or before == ["if"] else VARIABLE
                words, skipping = [], not opens_body
                in_body = in_body or opens_body
            elif text in ("(", "[", "{"):
                skipping = False
            if text in (")", "]", "}"):
                i = self.partner.get(i, i)
            elif not skipping:
                words.append(text)
            i -= 1
        return ORDINARY

    def is_value(self, brace):
        """Whether the brace begins a list of values, not a body; by the space that clang-format puts before a body."""
        before, here = self.tokens[brace - 1], self.tokens[brace]
        if before.text == "{":
            return self.is_value(brace - 1)
        return before.end == here.start or before.text in ("=", ",", "return", "(", "?")

    def is_local(self, index):
        """Whether it is in a function's body."""
        i = index
        while i >= 0:
            text = self.tokens[i].text
            if text in (")", "]", "}"):
                i = self.partner.get(i, i)
            elif text == "{" and self.tokens[i - 1].text in (")", "const", "override", "noexcept", "else", "do"):
                return True
            i -= 1
        return False

    def encloses(self, index):
        """The bracket around a token."""
        i = index - 1
        while i >= 0 and self.tokens[i].text not in ("(", "[", "{"):
            i = (self.partner.get(i, i) if self.tokens[i].text in (")", "]", "}") else i) - 1
        return self.tokens[i].text if i >= 0 else ""

    def operand_after(self, index):
        """The last token of the operand that begins here."""
        i = index
        while self.tokens[i].text in PREFIX:
            i += 1
        token = self.tokens[i]
        if token.kind in ("number", "string"):
            return i
        if token.text == "(":
            i = self.partner[i]
        elif token.kind == "name" or token.text == "::":
            i = self.name_after(i)
        else:
            raise CannotSwitch
        while i + 1 < len(self.tokens):
            following = self.tokens[i + 1]
            if following.text in ("(", "["):
                i = self.partner[i + 1]
            elif following.text == "{" and following.start == self.tokens[i].end:
                i = self.partner[i + 1]
            elif following.text in (".", "->"):
                i = self.name_after(i + 2)
            elif following.text in POSTFIX:
                i += 1
            else:
                return i
        raise CannotSwitch

    def name_after(self, i):
        if self.tokens[i].text == "::":
            i += 1
        while True:
            if self.tokens[i].kind != "name":
                raise CannotSwitch
            following = self.tokens[i + 1]
            if following.text == "<" and following.start == self.tokens[i].end:
                i = self.template_end(i + 1)
                following = self.tokens[i + 1]
            if following.text != "::":
                return i
            i += 2

    def template_end(self, i):
        depth = 0
        while i < len(self.tokens):
            text = self.tokens[i].text
            if text in ("(", "[", "{"):
                i = self.partner[i]
            elif text == ";":
                break
            depth += {"<": 1, ">": -1, ">>": -2}.get(text, 0)
            if depth <= 0 and text in (">", ">>"):
                return i
            i += 1
        raise CannotSwitch

    def operand_before(self, index):
        """The first token of the operand that ends here: what ++ behind it applies to."""
        i = index
        while True:
            if self.tokens[i].text in (")", "]"):
                i = self.partner[i] - 1
                if self.tokens[i].kind == "name" or self.tokens[i].text in (")", "]"):
                    continue
                return i + 1
            if self.tokens[i].kind != "name":
                raise CannotSwitch
            if self.tokens[i - 1].text not in (".", "->", "::"):
                return i
            i -= 2

    def sides(self, index):
        """The tokens of both operands of && or || as (first, last), (first, last)."""
        first = index
        while self.tokens[first - 1].text not in LOOSER and self.tokens[first - 1].text not in ("(", "[", "{"):
            first -= 1
            if self.tokens[first].text == "}" and not self.is_value(self.partner[first]):
                raise CannotSwitch
            first = self.partner.get(first, first)
        last = index
        while self.tokens[last + 1].text not in LOOSER and self.tokens[last + 1].text not in (")", "]", "}"):
            last += 1
            last = self.partner.get(last, last)
        if first == index or last == index:
            raise CannotSwitch
        return (first, index - 1), (index + 1, last)

    def span(self, first, last):
        return self.tokens[first].start, self.tokens[last].end


def wraps(source, mutant, number, form):
    """How one mutant's place is written; binary operators apart (`sites`)."""
    space = "gvp_mutant::" if form in (ORDINARY, VARIABLE) else "gvp_mutant_constexpr::"
    index = source.at[mutant.start]
    token = source.tokens[index]
    start, end = mutant.start, mutant.end
    if mutant.kind in ("number", "bool"):
        return [Wrap(start, end, f"{space}pick({number}u, {mutant.text}, ", ")")]
    if mutant.kind == "negated":
        return [Wrap(start, end, f"{space}flip({number}u, ", ")")]
    if mutant.kind in ("false", "true"):
        return [Wrap(start, end, f"{space}on({number}u) ? {mutant.kind} : static_cast<bool>(", ")")]
    if mutant.kind == "deleted":
        if source.encloses(index) == "(":  # a for loop's condition
            return [Wrap(start, end - 1, f"{space}on({number}u) || static_cast<bool>(", ")")]
        return [Wrap(start, end, f"{{ if (!{space}on({number}u)) ", " }")]
    if mutant.kind == "unary":
        last = source.operand_after(index + 1)
        if token.text == "!":
            return [Wrap(start, source.tokens[last].end, f"{space}flip({number}u, ", ")")]
        name = "minus" if token.text == "-" else "complement"
        return [Wrap(start, end, f"{space}{name}({number}u, ", "", True),
                Wrap(end, source.tokens[last].end, "", ")")]  # fmt: skip
    if mutant.kind == "step":
        name = "increment" if token.text == "++" else "decrement"
        before = source.tokens[index - 1]
        if before.end == token.start and (before.kind == "name" or before.text in (")", "]")):
            first = source.operand_before(index - 1)
            return [Wrap(source.tokens[first].start, before.end, f"{space}{name}_after({number}u, ", ")"),
                    Wrap(start, end, "", "", True)]  # fmt: skip
        last = source.operand_after(index + 1)
        return [Wrap(start, end, f"{space}{name}_before({number}u, ", "", True),
                Wrap(end, source.tokens[last].end, "", ")")]  # fmt: skip
    if token.text in ("&&", "||"):
        left, right = source.sides(index)
        flip = f"{space}flip({number}u, "
        return [Wrap(source.tokens[left[0]].start, source.tokens[right[1]].end, flip, ")"),
                Wrap(*source.span(*left), flip, ")"), Wrap(*source.span(*right), flip, ")")]  # fmt: skip
    raise CannotSwitch


def is_site(mutant, source):
    return mutant.kind == "binary" and source.tokens[source.at[mutant.start]].text in OPERATORS


def crosses(wrap, others):
    return any(
        wrap.start < other.start < wrap.end < other.end or other.start < wrap.start < other.end < wrap.end
        or (wrap.replaced and wrap.start <= other.start and other.end <= wrap.end and not other.replaced)
        for other in others
    )  # fmt: skip


def variable(source, mutant):
    """The word `constexpr` of the declaration, which becomes one that is computed when the program starts."""
    i = source.at[mutant.start]
    while i >= 0 and source.tokens[i].text not in ("constexpr", ";"):
        i -= 1
    if i < 0 or source.tokens[i].text != "constexpr":
        raise CannotSwitch
    token = source.tokens[i]
    inline = source.tokens[i - 1].text == "inline" or source.tokens[i + 1].text == "inline" or source.is_local(i)
    new = "const" if inline else "inline const"
    return Wrap(token.start, token.end, new, "", True)


def switched(text, numbered):
    """The source with these mutants behind switches: (number, mutant, form) each.  Returns it, and the numbers of those
    that cannot be."""
    source = Source(text)
    all_wraps, refused, sites = [], [], {}
    for number, mutant, form in numbered:
        if form == ALONE:
            continue
        try:
            own = []
            if form == VARIABLE:
                replaced = variable(source, mutant)
                if replaced not in all_wraps:
                    own.append(replaced)
            if is_site(mutant, source):
                sites.setdefault(mutant.start, []).append((number, mutant, form))
            else:
                own += wraps(source, mutant, number, form)
            if any(crosses(wrap, all_wraps) for wrap in own):
                raise CannotSwitch
            all_wraps += own
        except (CannotSwitch, KeyError, IndexError):
            refused.append(number)
    for start, changed in sites.items():
        first = changed[0][1]
        weak = any(form == CONSTEXPR for _, _, form in changed)
        space = "gvp_mutant_constexpr::" if weak else "gvp_mutant::"
        own = text[first.start : first.end]
        others = ", ".join(f"{space}As<{n}u, {space}{OPERATORS[m.text]}>" for n, m, _ in changed)
        place = f"{own} {space}Site<{space}{OPERATORS[own]}, {others}>{{}} {own}"
        all_wraps.append(Wrap(start, first.end, place, "", True))
    return write(text, all_wraps), refused


def write(text, all_wraps):
    """Inserts prefixes and suffixes; of those at one place the outermost first, the innermost's end first."""
    opening, closing, skipped = {}, {}, {}
    order = sorted(range(len(all_wraps)), key=lambda i: (all_wraps[i].start, -all_wraps[i].end, i))
    for i in order:
        wrap = all_wraps[i]
        opening.setdefault(wrap.start, []).append(wrap.prefix)
        closing.setdefault(wrap.end, []).insert(0, wrap.suffix)
        if wrap.replaced:
            skipped[wrap.start] = max(wrap.end, skipped.get(wrap.start, 0))
    result, position = [], 0
    places = sorted(set(opening) | set(closing))
    for place in places:
        if place > position:
            result.append(text[position:place])
            position = place
        result += closing.get(place, [])
        result += opening.get(place, [])
        position = max(position, skipped.get(place, 0))
    result.append(text[position:])
    return '#include "mutation_switch.h"\n#line 1\n' + "".join(result)
