// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them, and elements of the page.
"use strict";

function scaled(value, units) {
  const [size, name] = units.find(([size]) => Math.abs(value) >= size) ?? units[units.length - 1];
  const number = value / size;
  return `${Number(number.toPrecision(4))} ${name}`;
}
const time = (ps) => scaled(ps, [[1e12, "s"], [1e9, "ms"], [1e6, "µs"], [1e3, "ns"], [1, "ps"]]);
const bytes = (count) => scaled(count, [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]]);
const rate = (perSecond) => scaled(perSecond, [[1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]]);
const perSecond = (value) => scaled(value, [[1e9, "G/s"], [1e6, "M/s"], [1e3, "k/s"], [1, "/s"]]);
const count = (value) => value.toLocaleString("en");
const percent = (share) => `${Number((100 * share).toPrecision(3))}\u00a0%`; // on one line
const signed = (share) => (share > 0 ? "+" : "") + percent(share);
const orNothing = (format) => (value) => (value === null || value === undefined ? "–" : format(value));

// An element: make("p", {class: "lead"}, "text", other elements...)
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

function choice(label, options, change) {
  const select = make("select", { onchange: () => change(select.value) });
  for (const [value, text] of options) select.append(make("option", { value }, text));
  return make("label", {}, `${label} `, select);
}

function escaped(text) {
  return String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
