"use strict";
// Charts become interactive, tables sort and filter, buttons copy commands. Without this script a page shows still
// pictures and tables in their first order.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const theme = (width, columns) => {
    const style = getComputedStyle(document.documentElement);
    const [ink, soft, line] = ["--ink", "--soft", "--line"].map((name) => style.getPropertyValue(name).trim());
    const font = "system-ui, sans-serif";
    return {
      background: "transparent", font,
      axis: { labelColor: ink, titleColor: soft, gridColor: line, domainColor: soft, tickColor: soft,
              labelLimit: width < 500 ? 130 : 230 },
      legend: { labelColor: ink, orient: "bottom", columns },
    };
  };

  const merged = (one, other) => {
    const found = { ...one };
    for (const [key, value] of Object.entries(other)) {
      const nested = value && typeof value === "object" && !Array.isArray(value);
      found[key] = nested ? merged(found[key] ?? {}, value) : value;
    }
    return found;
  };

  const draw = async (figure) => {
    const place = figure.querySelector(".chart");
    const spec = JSON.parse(figure.querySelector("script").textContent);
    const width = place.clientWidth;
    const narrow = width < 500;
    // A legend is as wide as the plot, which labels of rows or values leave to it.
    const labels = spec.layer.some((layer) => layer.encoding?.yOffset) ? (narrow ? 150 : 250) : 60;
    const columns = Math.max(1, Math.min(4, Math.floor((width - labels) / spec.usermeta.entry)));
    const sized = { ...spec, width: "container", config: merged(spec.config, theme(width, columns)) };
    if (narrow) {
      for (const layer of sized.layer) {
        for (const channel of ["y", "yOffset"]) {
          const axis = layer.encoding?.[channel]?.axis;
          if (axis && axis.labelLimit) axis.labelLimit = 130;
        }
      }
    }
    const { view } = await window.vegaEmbed(place, sized, {
      actions: false, renderer: "svg", tooltip: { theme: dark.matches ? "dark" : "light" },
    });
    figure.classList.add("drawn");
    figure.view = view;
  };

  const drawAll = () => Promise.all([...document.querySelectorAll("figure:has(> .chart)")].map(draw));
  drawAll().then(() => { document.documentElement.dataset.ready = "yes"; });
  dark.addEventListener("change", drawAll);

  for (const section of document.querySelectorAll("section.grid")) {
    const body = section.querySelector("tbody");
    const rows = [...body.rows];
    const heads = [...section.querySelectorAll("th")];
    const value = (row, column) => row.cells[column].dataset.value ?? "";

    const compare = (column) => (one, other) => {
      const [a, b] = [value(one, column), value(other, column)];
      const [x, y] = [Number(a), Number(b)];
      return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y;
    };

    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const upwards = head.getAttribute("aria-sort") !== "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
        const order = compare(column);
        // What has no value stays at the end in both directions.
        body.append(...[...rows].sort((one, other) => {
          const missing = (value(one, column) === "") - (value(other, column) === "");
          return missing || (upwards ? order(one, other) : order(other, one));
        }));
      });
    });

    const words = section.querySelector(".tools input");
    if (words === null) continue;
    const count = section.querySelector(".count");
    const filter = () => {
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !wanted.every((word) => text.includes(word));
        shown += !row.hidden;
      }
      count.textContent = `${shown} of ${rows.length} rows`;
    };
    words.addEventListener("input", filter);
    filter();
  }

  for (const button of document.querySelectorAll("button.copy")) {
    button.addEventListener("click", async () => {
      await navigator.clipboard?.writeText(button.dataset.copy).catch(() => {});
      button.textContent = "✓";
      setTimeout(() => { button.textContent = "↻"; }, 1200);
    });
  }
})();
