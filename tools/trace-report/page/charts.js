// SPDX-License-Identifier: Apache-2.0
// A plot with its caption, description and table.  Plots are drawn when they come into view, and again
// when the theme or the page's width changes.

const kPalette = ["#3b82c4", "#e07b39", "#2a9d6f", "#b5549c", "#c9a227", "#4fb0c6", "#d1495b", "#8a8f98",
  "#7a6ff0", "#93b23f", "#b07d56", "#e58fb1"];
const kUnits = { time, bytes, rate, count };
const plots = new Set();

// The colour of a custom property of page.css, in the theme that is on.
function colour(name) {
  const probe = make("span", { style: `color: var(--${name}); display: none` });
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

// figure: {title, description, height, canvas, option(), table() -> element, controls: [elements]}
class Plot {
  constructor(parent, figure) {
    this.figure = figure;
    const id = `figure-${plots.size}`;
    this.area = make("div", { class: "plot", role: "img", tabindex: 0, "aria-describedby": `${id}-about`,
      "aria-label": figure.title, style: `height: ${figure.height ?? 320}px`, onkeydown: (e) => this.key(e) });
    this.tableArea = make("div", { id: `${id}-table`, hidden: true });
    this.button = make("button", { type: "button", "aria-expanded": "false", "aria-controls": `${id}-table`,
      onclick: () => this.toggleTable() }, "Table");
    parent.append(make("figure", {}, make("figcaption", {},
      make("div", {}, make("h3", {}, figure.title), make("p", { id: `${id}-about` }, figure.description)),
      make("div", { class: "tools" }, ...(figure.controls ?? []), this.button)), this.area, this.tableArea));
    plots.add(this);
    observer.observe(this.area);
  }
  draw(renderer = this.figure.canvas ? "canvas" : "svg") {
    if (this.chart === undefined) this.chart = echarts.init(this.area, null, { renderer });
    this.chart.setOption(withTheme(this.figure.option(this.area.clientWidth < 600)), { notMerge: true });
  }
  redraw() {
    if (this.chart === undefined) return;
    this.chart.resize();
    this.draw();
  }
  // In view or not, before anything else happens, and as vectors: what is on a canvas may not be printed.
  drawForPaper() {
    this.forget();
    this.draw("svg");
    this.chart.getZr().flush();
  }
  drawForScreen() {
    this.forget();
    this.draw();
  }
  forget() {
    this.chart?.dispose();
    this.chart = undefined;
  }
  // What the plot shows has changed.
  update() {
    this.redraw();
    if (!this.tableArea.hidden) this.tableArea.replaceChildren(this.figure.table());
  }
  toggleTable() {
    const shown = this.tableArea.hidden;
    this.tableArea.hidden = !shown;
    this.button.setAttribute("aria-expanded", String(shown));
    this.tableArea.replaceChildren(...(shown ? [this.figure.table()] : []));
  }
  // Arrows move, plus and minus zoom, 0 shows all.
  key(event) {
    const zoom = this.chart?.getOption().dataZoom?.[0];
    if (zoom === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const width = zoom.end - zoom.start;
    const steps = { ArrowLeft: [-width / 4, -width / 4], ArrowRight: [width / 4, width / 4],
      "+": [width / 4, -width / 4], "-": [-width / 2, width / 2], 0: [-zoom.start, 100 - zoom.end] };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    let start = Math.max(0, zoom.start + step[0]), end = Math.min(100, zoom.end + step[1]);
    if (event.key === "ArrowLeft") end = start + width;
    if (event.key === "ArrowRight") start = end - width;
    this.chart.dispatchAction({ type: "dataZoom", start, end });
  }
  remove() {
    observer.unobserve(this.area);
    this.forget();
    plots.delete(this);
  }
}

const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    observer.unobserve(entry.target);
    for (const plot of plots) if (plot.area === entry.target) plot.draw();
  }
}, { rootMargin: "400px" });

function withTheme(option) {
  const ink = colour("ink"), soft = colour("soft"), line = colour("line");
  const axis = (given) => ({ axisLine: { lineStyle: { color: line } }, ...given,
    splitLine: { show: given.type !== "category", lineStyle: { color: line } }, nameTextStyle: { color: soft },
    axisLabel: { color: soft, hideOverlap: true, ...given.axisLabel } });
  return { animation: false, color: kPalette, backgroundColor: "transparent",
    textStyle: { color: ink, fontFamily: "system-ui, sans-serif" }, aria: { enabled: false },
    ...option,
    legend: option.legend && { type: "scroll", top: 0, textStyle: { color: ink }, inactiveColor: soft,
      pageTextStyle: { color: soft }, pageIconColor: soft, ...option.legend },
    tooltip: { confine: true, backgroundColor: colour("card"), borderColor: line, textStyle: { color: ink, fontSize: 13 },
      extraCssText: "max-width: 90vw; white-space: normal", ...option.tooltip },
    xAxis: option.xAxis && axis(option.xAxis), yAxis: option.yAxis && axis(option.yAxis) };
}

const zoomX = () => [{ type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false },
  { type: "slider", filterMode: "none", height: 18, bottom: 6, showDetail: false, brushSelect: false,
    borderColor: "transparent" }];
const timeAxis = (name = "simulated time") => ({ type: "value", scale: true, name, nameLocation: "middle", nameGap: 28,
  axisLabel: { formatter: time } });

// Bars from begin to end on rows: items {row, begin, end, text, colour, more}
function ganttOption(rows, items, narrow, format = time, left = undefined) {
  const drawItem = (params, api) => {
    const begin = api.coord([api.value(1), api.value(0)]), end = api.coord([api.value(2), api.value(0)]);
    const height = Math.max(2, Math.min(22, api.size([0, 1])[1] * 0.7));
    const box = { x: params.coordSys.x, y: params.coordSys.y, width: params.coordSys.width, height: params.coordSys.height };
    const shape = echarts.graphic.clipRectByRect({ x: begin[0], y: begin[1] - height / 2,
      width: Math.max(1, end[0] - begin[0]), height }, box);
    return shape && { type: "rect", shape, style: { fill: items[params.dataIndex].colour ?? kPalette[0] } };
  };
  return { grid: { left: left ?? (narrow ? 96 : 190), right: 24, top: 12, bottom: 74 }, dataZoom: zoomX(),
    tooltip: { formatter: (p) => items[p.dataIndex].hover ?? `<b>${escaped(items[p.dataIndex].text)}</b><br>` +
      `${format(items[p.dataIndex].end - items[p.dataIndex].begin)} from ${format(items[p.dataIndex].begin)}` },
    xAxis: { ...timeAxis(), axisLabel: { formatter: format } },
    yAxis: { type: "category", data: rows, inverse: true, axisLabel: { width: narrow ? 84 : 176, overflow: "truncate" } },
    series: [{ type: "custom", renderItem: drawItem, encode: { x: [1, 2], y: 0 }, clip: true,
      data: items.map((item) => [item.row, item.begin, item.end]) }] };
}

function barsOption(names, series, format, narrow) {
  return { legend: {}, grid: { left: narrow ? 110 : 220, right: 24, top: 34, bottom: 34 },
    tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: format },
    xAxis: { type: "value", axisLabel: { formatter: format } },
    yAxis: { type: "category", inverse: true, data: names, axisLabel: { width: narrow ? 98 : 206, overflow: "truncate" } },
    series: series.map(({ name, values }) => ({ type: "bar", name, stack: "all", data: values, barMaxWidth: 22 })) };
}

window.addEventListener("resize", () => plots.forEach((plot) => plot.redraw()));
