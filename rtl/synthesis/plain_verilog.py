#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what Verilator has understood of a design as plain Verilog, for tools that read less of
SystemVerilog than our RTL uses: Yosys 0.23 knows no import, no arrays of several dimensions at ports
and no functions that return structures.

    verilator --xml-only ... && plain_verilog.py Vtop.xml > top.v

Verilator has resolved types, parameters and packages, and gives every expression its width; what is
left is vectors, memories, functions and processes, which are written one to one.  Only what our
RTL uses is known; anything else ends with an error that names it.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

BINARY = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^", "eq": "==",
          "neq": "!=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "shiftl": "<<", "shiftr": ">>"}
SIGNED = {"gts": ">", "gtes": ">=", "lts": "<", "ltes": "<=", "muls": "*", "divs": "/"}
UNARY = {"not": "~", "negate": "-", "redand": "&", "redor": "|", "redxor": "^"}
STATEMENTS = {"assign", "assigndly", "if", "begin", "case", "while", "stmtexpr", "var"}


class Unknown(Exception):
    pass


def number(node):
    return int(re.sub(r"^\d+'s?h", "", node.get("name")), 16)


class Types:
    def __init__(self, table):
        self.nodes = {node.get("id"): node for node in table}

    def width(self, identifier):
        node = self.nodes[identifier]
        if node.tag == "basicdtype":
            if node.get("left") is not None:
                return abs(int(node.get("left")) - int(node.get("right"))) + 1
            return {"logic": 1, "bit": 1, "int": 32, "integer": 32, "byte": 8}[node.get("name")]
        if node.tag in ("packarraydtype", "unpackarraydtype"):
            return self.elements(node) * self.width(node.get("sub_dtype_id"))
        if node.tag == "structdtype":
            return sum(self.width(member.get("sub_dtype_id")) for member in node)
        if node.get("sub_dtype_id"):
            return self.width(node.get("sub_dtype_id"))
        raise Unknown(f"type {node.tag}")

    @staticmethod
    def elements(node):
        first, last = (number(bound) for bound in node.find("range"))
        return abs(first - last) + 1

    def dimensions(self, identifier):
        """Of a memory, and the width of a word."""
        node = self.nodes[identifier]
        if node.tag != "unpackarraydtype":
            return [], self.width(identifier)
        more, width = self.dimensions(node.get("sub_dtype_id"))
        return [self.elements(node)] + more, width


class Module:
    """One module, whose scopes are flattened: names of inner ones get those of their blocks."""

    def __init__(self, node, types, packages):
        self.node, self.types, self.packages = node, types, packages
        self.declarations, self.items, self.functions = [], [], {}
        self.memories = {}      # name: (dimensions, width), as vectors where they are ports
        self.flat = set()
        self.count = 0

    # ---- names ----

    def declare(self, var, scope, prefix, lines, keyword="logic"):
        name = re.sub(r"\W", "_", prefix + var.get("name"))
        if prefix:
            self.count += 1
            name = f"{name}_{self.count}"
        scope[var.get("name")] = name
        dimensions, width = self.types.dimensions(var.get("dtype_id"))
        direction = var.get("dir") if keyword == "logic" and not prefix else None
        if dimensions and (direction or var.get("name") in self.flat):
            self.flat.add(var.get("name"))
            self.memories[name] = (dimensions, width)
            for size in dimensions:
                width *= size
            dimensions = []
        ranges = "".join(f" [0:{size - 1}]" for size in dimensions)
        lines.append(f"{direction + ' ' if direction else ''}{keyword} [{width - 1}:0] {name}{ranges}")
        return direction

    # ---- expressions ----

    def width(self, node):
        return self.types.width(node.get("dtype_id"))

    def expression(self, node, scope):
        tag = node.tag
        if tag == "const":
            bits = re.fullmatch(r"(\d+)'b([01xz]+)", node.get("name"))
            if bits:  # without zeros in front; Verilog would continue an x or z instead
                return f"{bits[1]}'b{bits[2].zfill(int(bits[1]))}"
            return node.get("name").replace("'sh", "'h")
        if tag == "varref":
            return scope[node.get("name")]
        of = [self.expression(child, scope) for child in node] if tag not in ("funcref", "arraysel") else []
        if tag in BINARY:
            return f"({of[0]} {BINARY[tag]} {of[1]})"
        if tag in SIGNED:
            return f"$unsigned($signed({of[0]}) {SIGNED[tag]} $signed({of[1]}))"
        if tag == "shiftrs":
            return f"$unsigned($signed({of[0]}) >>> {of[1]})"
        if tag in UNARY:
            return f"({UNARY[tag]}{of[0]})"
        if tag == "cond":
            return f"({of[0]} ? {of[1]} : {of[2]})"
        if tag == "concat":
            return "{" + ", ".join(of) + "}"
        if tag == "replicate":
            return f"{{{number(node[1])}{{{of[0]}}}}}"
        if tag == "extend":  # by concatenation: a sum in a cast may be computed in the width of the cast
            return f"{{{int(node.get('width')) - self.width(node[0])}'h0, {of[0]}}}"
        if tag == "extends":
            return f"$unsigned(({node.get('width')}'($signed({of[0]}))))"
        if tag == "countones":
            return f"$countones({of[0]})"
        if tag == "sel":
            width = number(node[2])
            if node[0].tag == "varref" and scope[node[0].get("name")] not in self.memories:
                low = number(node[1]) if node[1].tag == "const" else None
                return f"{of[0]}[{low + width - 1}:{low}]" if low is not None else f"{of[0]}[{of[1]} +: {width}]"
            # In parentheses: Yosys takes a sign before a size for its own
            shift = "" if node[1].tag == "const" and number(node[1]) == 0 else f" >> {of[1]}"
            return f"({width}'({of[0]}{shift}))"
        if tag == "arraysel":
            return self.element(node, scope)
        if tag == "funcref":
            arguments = ", ".join(self.expression(argument[0], scope) for argument in node)
            return f"{self.function(node.get('name'))}({arguments})"
        raise Unknown(f"expression {tag} in {self.node.get('name')}")

    def element(self, node, scope):
        indices = []
        while node.tag == "arraysel":
            indices.insert(0, self.expression(node[1], scope))
            node = node[0]
        name = scope[node.get("name")]
        if name not in self.memories:
            return name + "".join(f"[{index}]" for index in indices)
        dimensions, width = self.memories[name]
        if len(dimensions) != 1:
            raise Unknown(f"port {name} of several dimensions")
        return f"{name}[32'({indices[0]}) * {width} +: {width}]"

    def target(self, node, scope):
        """Left side of an assignment."""
        if node.tag == "varref":
            return scope[node.get("name")]
        if node.tag == "arraysel":
            return self.element(node, scope)
        if node.tag == "concat":
            return "{" + ", ".join(self.target(child, scope) for child in node) + "}"
        if node.tag == "sel":
            base, width = self.target(node[0], scope), number(node[2])
            if node[1].tag == "const":
                return f"{base}[{number(node[1]) + width - 1}:{number(node[1])}]"
            return f"{base}[{self.expression(node[1], scope)} +: {width}]"
        raise Unknown(f"target {node.tag}")

    # ---- functions ----

    def function(self, name):
        own = self.node.findall(f"func[@name='{name}']") + self.node.findall(f".//func[@name='{name}']")
        found = own or [f for package in self.packages for f in package.findall(f"func[@name='{name}']")]
        if not found:
            raise Unknown(f"function {name}")
        if name not in self.functions:
            self.functions[name] = ""  # no recursion
            lines, scope, declarations = [], dict(self.scope), []
            for var in found[0].findall("var"):
                if var.get("name") == name and var.get("dir") == "output":
                    scope[name] = f"f_{name}"
                    continue
                inner = f"{var.get('name')}_of_{name}"
                scope[var.get("name")] = inner
                keyword = "input" if var.get("dir") == "input" else "reg"
                declarations.append(f"  {keyword} [{self.types.width(var.get('dtype_id')) - 1}:0] {inner};")
            self.block([child for child in found[0] if child.tag != "var"], scope, lines, 2, declarations)
            width = self.width(found[0])
            self.functions[name] = "\n".join(
                [f"  function automatic [{width - 1}:0] f_{name};"] + ["  " + d for d in declarations] +
                ["    begin"] + lines + ["    end", "  endfunction"])
        return f"f_{name}"

    # ---- statements ----

    def statement(self, node, scope, lines, depth, declarations=None):
        indent = "  " * (depth + 1)
        tag = node.tag
        if tag in ("assign", "assigndly"):
            sign = "<=" if tag == "assigndly" else "="
            lines.append(f"{indent}{self.target(node[1], scope)} {sign} {self.expression(node[0], scope)};")
        elif tag == "begin":
            self.block(node, scope, lines, depth, declarations)
        elif tag == "if":
            lines.append(f"{indent}if ({self.expression(node[0], scope)}) begin")
            self.statement(node[1], scope, lines, depth + 1, declarations)
            if len(node) > 2:
                lines.append(f"{indent}end else begin")
                self.statement(node[2], scope, lines, depth + 1, declarations)
            lines.append(f"{indent}end")
        elif tag == "case":
            any_bits = any("z" in label.get("name") for label in node.iterfind("caseitem/const"))
            lines.append(f"{indent}{'casez' if any_bits else 'case'} ({self.expression(node[0], scope)})")
            for item in node[1:]:
                labels = [self.expression(child, scope) for child in item if child.tag not in STATEMENTS]
                lines.append(f"{indent}  {', '.join(labels) or 'default'}: begin")
                self.block([child for child in item if child.tag in STATEMENTS], scope, lines, depth + 2,
                           declarations)
                lines.append(f"{indent}  end")
            lines.append(f"{indent}endcase")
        elif tag == "stmtexpr":
            self.task(node[0], scope, lines, depth, declarations)
        else:
            raise Unknown(f"statement {tag} ({node.get('name')}) of {self.node.get('name')}")

    def task(self, reference, scope, lines, depth, declarations):
        """Its body in place of a call; tasks of our RTL have inputs only."""
        task = self.node.find(f".//task[@name='{reference.get('name')}']")
        inner = dict(self.scope)
        inputs = [var for var in task if var.tag == "var" and var.get("dir")]
        for var, argument in zip(inputs, reference):
            self.declare(var, inner, "task_", self.declarations)
            lines.append(f"{'  ' * (depth + 1)}{inner[var.get('name')]} = {self.expression(argument[0], scope)};")
        self.block([child for child in task if child not in inputs], inner, lines, depth, declarations)

    def block(self, node, outer, lines, depth, declarations):
        scope = dict(outer)
        children = [child for child in node if child.tag not in ("pragma", "sentree")]
        for child in children:
            if child.tag == "var":
                if declarations is None:
                    self.declare(child, scope, "local_", self.declarations)
                else:
                    self.count += 1
                    scope[child.get("name")] = f"{child.get('name')}_{self.count}"
                    declarations.append(
                        f"  reg [{self.types.width(child.get('dtype_id')) - 1}:0] {scope[child.get('name')]};")
        children = [child for child in children if child.tag != "var"]
        for child, following in zip(children, children[1:] + [None]):
            if child.tag == "while":
                continue
            if following is not None and following.tag == "while":
                self.loop(child, following, scope, lines, depth, declarations)
            else:
                self.statement(child, scope, lines, depth, declarations)

    def loop(self, start, loop, scope, lines, depth, declarations):
        _, condition, body, step = loop
        variable = scope[start[1].get("name")]
        indent = "  " * (depth + 1)
        lines.append(f"{indent}for ({variable} = {self.expression(start[0], scope)}; "
                     f"{self.expression(condition[0], scope)}; "
                     f"{variable} = {self.expression(step[0][0], scope)}) begin")
        self.block(body, scope, lines, depth + 1, declarations)
        lines.append(f"{indent}end")

    # ---- items ----

    def item(self, node, scope, prefix):
        if node.tag == "contassign" or node.tag == "initial":
            assignment = node if node.tag == "contassign" else node[0]
            self.items.append(f"  assign {self.target(assignment[1], scope)} = "
                              f"{self.expression(assignment[0], scope)};")
        elif node.tag == "always":
            clock = node.find("sentree")
            event = "*"
            if clock is not None:
                event = " or ".join(f"{item.get('edgeType').lower()}edge {self.expression(item[0], scope)}"
                                    for item in clock)
            lines = []
            self.block(node, scope, lines, 1, None)
            self.items += [f"  always @({event}) begin"] + lines + ["  end"]
        elif node.tag == "instance":
            ports = []
            for port in node:
                value = ""
                if len(port):
                    to_memory = port[0].tag == "varref" and scope[port[0].get("name")] in self.memories
                    value = scope[port[0].get("name")] if to_memory else \
                        self.target(port[0], scope) if port.get("direction") == "out" else \
                        self.expression(port[0], scope)
                ports.append(f".{port.get('name')}({value})")
            name = re.sub(r"\W", "_", prefix + node.get("name"))
            self.items.append(f"  {node.get('defName')} {name} (" + ",\n    ".join(ports) + ");")
        elif node.tag == "begin":
            inner = dict(scope)
            name = prefix + node.get("name") + "_"
            for child in node:
                if child.tag == "var":
                    self.declare(child, inner, name, self.declarations)
            for child in node:
                if child.tag != "var":
                    self.item(child, inner, name)
        elif node.tag not in ("func", "task", "typedef", "pragma", "var"):
            raise Unknown(f"item {node.tag}")

    def text(self):
        # Memories at ports of instances are vectors here, too.
        for instance in self.node.iter("instance"):
            for port in instance:
                for reference in port.findall("varref"):
                    self.flat.add(reference.get("name"))
        self.scope, ports = {}, []
        for var in self.node.findall("var"):
            if var.get("param") or var.get("localparam"):
                continue
            lines = []
            directed = self.declare(var, self.scope, "", lines)
            (ports if directed else self.declarations).append((int(var.get("pinIndex")), lines[0]) if directed
                                                              else lines[0])
        for node in self.node:
            self.item(node, self.scope, "")
        header = ",\n".join(f"    {line}" for _, line in sorted(ports))
        return "\n".join([f"module {self.node.get('name')} (\n{header}\n);"] +
                         [f"  {line};" for line in self.declarations] +
                         list(self.functions.values()) + self.items + ["endmodule", ""])


def main():
    try:
        netlist = ElementTree.parse(sys.argv[1]).getroot().find("netlist")
        types = Types(netlist.find("typetable"))
        packages = netlist.findall("package")
        for node in netlist.findall("module"):
            print(Module(node, types, packages).text())
    except Unknown as unknown:
        sys.exit(f"plain_verilog.py: {sys.argv[1]}: {unknown} is not known")


main()
