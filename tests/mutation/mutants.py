# SPDX-License-Identifier: Apache-2.0
"""The mutants of a C++ source file: small changes that a test should notice.

Found lexically, outside comments, strings, preprocessor lines and static_assert: operators are
replaced by their neighbours, integers moved by one, conditions negated or fixed, statements
deleted.  What is no C++ any more the compiler refuses, and the run takes the next one; so this file
may guess what a token is, which relies on the layout that clang-format gives all sources (a binary
operator stands between spaces, a template's bracket does not)."""

import bisect
import hashlib
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    path: str  # from the repository's root
    start: int  # the characters [start, end) of the file become `text`
    end: int
    text: str
    line: int
    before: str  # the lines it touches, on one line
    after: str
    kind: str  # number, bool, binary, step, unary, negated, false, true (conditions), deleted

    @property
    def key(self):
        """Names the mutant as long as its line and its place in the line stay."""
        return "\0".join([self.path, str(self.start), self.before, self.after])

    def apply(self, source):
        return source[: self.start] + self.text + source[self.end :]


TOKEN = re.compile(
    r"""
      (?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    | (?P<directive>^\#(?:\\\n|[^\n])*)
    | (?P<string>(?:u8|[uUL])?R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|(?:u8|[uUL])?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')
    | (?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
    | (?P<name>[A-Za-z_]\w*)
    | (?P<operator><<=|>>=|\.\.\.|->\*|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

# Between spaces.
BINARY = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
    "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",),
    "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "%": ("/",),
    "&": ("|",), "|": ("&",), "^": ("&",), "<<": (">>",), ">>": ("<<",),
    "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "|=": ("&=",), "&=": ("|=",), "^=": ("|=",),
    "<<=": (">>=",), ">>=": ("<<=",),
}  # fmt: skip
INTEGER = re.compile(r"(0[xX][\da-fA-F']+|0[bB][01']+|[\d']+)([uUlL]*)")
CONTROL = {"if", "for", "while", "switch"}
# No statement that begins with one of these is deleted: it declares something, or steers.
KEPT = CONTROL | set(
    "do else case default return using typedef static const constexpr auto struct class enum union template friend "
    "public private protected namespace goto extern inline virtual explicit static_assert assert operator".split()
)


@dataclass
class Token:
    kind: str
    text: str
    start: int

    @property
    def end(self):
        return self.start + len(self.text)


def tokens_of(source):
    found = []
    for match in TOKEN.finditer(source):
        if match.lastgroup != "skip" and not match.group("skip") and not match.group("directive"):
            kind = next(k for k in ("string", "number", "name", "operator") if match.group(k) is not None)
            found.append(Token(kind, match.group(), match.start()))
    return found


def partners(tokens):
    """The index of each bracket's partner."""
    result, stack = {}, []
    for i, token in enumerate(tokens):
        if token.kind != "operator":
            continue
        if token.text in "([{":
            stack.append(i)
        elif token.text in ")]}" and stack:
            result[i] = stack.pop()
            result[result[i]] = i
    return result


def integers_beside(text):
    match = INTEGER.fullmatch(text)
    if not match:
        return (f"({text} + 1)",) if re.fullmatch(r"[\d.']+(e[+-]?\d+)?[fF]?", text) else ()
    digits, suffix = match.group(1).replace("'", ""), match.group(2)
    octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
    value = int(digits, 8 if octal else 0)
    form = hex if digits[:2].lower() == "0x" else str
    values = (value + 1, value - 1) if value > 0 else (1,)
    return tuple(form(v) + suffix for v in values)


def changes(source):
    """All (start, end, text, kind) of a source."""
    tokens = tokens_of(source)
    partner = partners(tokens)
    result = []

    def spaced(token):
        return source[token.start - 1 : token.start].isspace() and source[token.end : token.end + 1].isspace()

    def replace(token, kind, *texts):
        result.extend((token.start, token.end, text, kind) for text in texts)

    skip_until = -1
    for i, token in enumerate(tokens):
        previous = tokens[i - 1].text if i else ""
        following = tokens[i + 1] if i + 1 < len(tokens) else None
        if token.text == "static_assert" and following:
            skip_until = partner.get(i + 1, i)
        if i <= skip_until or previous == "operator":
            continue
        if token.kind == "number":
            replace(token, "number", *integers_beside(token.text))
        elif token.text in ("true", "false"):
            replace(token, "bool", "false" if token.text == "true" else "true")
        elif token.text in BINARY and spaced(token):
            replace(token, "binary", *BINARY[token.text])
        elif token.text in ("++", "--"):
            replace(token, "step", "--" if token.text == "++" else "++")
        elif token.text in ("!", "-", "~") and following and following.start == token.end:
            replace(token, "unary", "")
        elif token.text in ("if", "while") and following:
            opening = i + 2 if following.text == "constexpr" else i + 1
            closing = partner.get(opening)
            if tokens[opening].text == "(" and closing:
                result.extend(conditions(source, tokens, opening, closing, token.text))
    result.extend(deletions(source, tokens, partner))
    return result


def conditions(source, tokens, opening, closing, keyword):
    first = opening + 1  # after the last semicolon: `if (initialisation; condition)`
    for i in range(opening + 1, closing):
        if tokens[i].text == ";":
            first = i + 1
    start, end = tokens[first].start, tokens[closing].start
    condition = source[start:end]
    yield start, end, f"!({condition})", "negated"
    yield start, end, "false", "false"
    if keyword == "if":
        yield start, end, "true", "true"


def opens_code(tokens, i):
    """Whether the brace at i begins statements (a function, a lambda, a branch), not a type or a list of values."""
    if tokens[i - 1].text in (")", "]", "const", "noexcept", "override", "else", "do", "try", "mutable"):
        return True
    for j in range(i - 1, max(i - 12, -1), -1):
        if tokens[j].text in ("->", ":"):
            return True  # a return type that is written behind; an initialiser list; a case
        if tokens[j].text in (";", "{", "}", "=", ","):
            break
    return tokens[i - 1].text in (";", "{", "}")


def deletions(source, tokens, partner):
    braces = []
    for i, token in enumerate(tokens):
        if token.text == "{":
            braces.append(opens_code(tokens, i))
        elif token.text == "}" and braces:
            braces.pop()
        if not braces or not braces[-1] or not begins_statement(tokens, partner, i):
            continue
        end = end_of_statement(tokens, partner, i)
        if end and deletable(tokens, i, end):
            yield token.start, tokens[end].end, ";", "deleted"


def is_conditional(tokens, colon):
    """Whether the colon is one of `? :`."""
    for j in range(colon - 1, -1, -1):
        if tokens[j].text in (";", "{", "}", "case", "default"):
            return False
        if tokens[j].text == "?":
            return True
    return False


def begins_statement(tokens, partner, i):
    previous = tokens[i - 1]
    if previous.text == ":" and is_conditional(tokens, i - 1):
        return False
    if previous.text in (";", "{", "}", "else", ":"):
        return tokens[i].kind == "name" or tokens[i].text in ("++", "--", "*", "(")
    if previous.text == ")" and i - 1 in partner:
        return tokens[i].kind == "name" and tokens[partner[i - 1] - 1].text in CONTROL
    return False


def end_of_statement(tokens, partner, i):
    while i < len(tokens) and tokens[i].text != ";":
        if tokens[i].text in ")]}":
            return None
        i = partner.get(i, i) + 1
    return i if i < len(tokens) else None


def deletable(tokens, first, end):
    if end - first == 1:
        return tokens[first].text in ("return", "break", "continue")
    if tokens[first].text in KEPT:
        return False
    # A declaration has a type before a name: two names in a row, or a name after `>`, `*` or `&`.
    depth = 0
    for i in range(first, end):
        text = tokens[i].text
        if depth == 0 and i > first:
            if text == "=" or text.endswith("=") or text in ("(", "<<"):
                break
            if tokens[i].kind == "name" and (tokens[i - 1].kind == "name" or tokens[i - 1].text in (">", "*", "&")):
                return tokens[first].text in ("throw", "delete")
        depth += (text in "([{") - (text in ")]}")
    return True


def mutants_of(path, source):
    starts = [0] + [m.end() for m in re.finditer("\n", source)]
    result = []
    for start, end, text, kind in changes(source):
        line = bisect.bisect_right(starts, start)
        first = starts[line - 1]
        last = source.find("\n", end)
        last = len(source) if last < 0 else last
        before = " ".join(source[first:last].split())
        after = " ".join((source[first:start] + text + source[end:last]).split())
        result.append(Mutant(path, start, end, text, line, before, after, kind))
    return result


def sample_order(mutants, seed):
    """All mutants in an order drawn by the seed.  A mutant's place depends on its own line alone, so that an edit
    elsewhere leaves most of a sample as it was."""
    seen = {}

    def place(mutant):
        text = "\0".join([str(seed), mutant.path, mutant.before, mutant.after])
        seen[text] = seen.get(text, 0) + 1
        return hashlib.sha256(f"{text}\0{seen[text]}".encode()).digest()

    return [m for _, m in sorted(((place(m), m) for m in mutants), key=lambda pair: pair[0])]
