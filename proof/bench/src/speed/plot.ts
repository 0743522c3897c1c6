import type { Measurement } from "./figures.ts";
import { isPeer } from "./peers.ts";
import { OWN } from "./service.ts";

interface Bar {
  label: string;
  value: number;
  /** End of a thin line that extends the bar; undefined for none. */
  until?: number | undefined;
  kind: "engram" | "peer" | "limit";
}

interface Panel {
  title: string;
  /** Says which values are better. */
  hint: string;
  /** At least one; no value is 0. */
  bars: Bar[];
}

const WIDTH = 760;
const MARGIN = 20;
const LABEL_WIDTH = 215;
const VALUE_WIDTH = 70;
const BAR_HEIGHT = 16;
const ROW_HEIGHT = 26;
const TITLE_HEIGHT = 44;
const AXIS_HEIGHT = 34;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 15px; }
  .quiet { fill: #59636e; font-size: 12px; }
  .back { fill: #ffffff; }
  .grid { stroke: #d1d9e0; }
  .engram { fill: #0969da; }
  .peer { fill: #8c959f; }
  .limit { fill: none; stroke: #59636e; stroke-dasharray: 3 2; }
  .until { stroke: #59636e; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .quiet { fill: #9198a1; }
    .back { fill: #0d1117; }
    .grid { stroke: #3d444d; }
    .engram { fill: #4493f8; }
    .peer { fill: #656c76; }
    .limit { stroke: #9198a1; }
    .until { stroke: #9198a1; }
  }`;

/** Plot append rates and search times as SVG for light and dark pages. */
export function plotMeasurement(measurement: Measurement): string {
  return plot([appendPanel(measurement), searchPanel(measurement)].filter(({ bars }) => bars.length > 0));
}

/** Draws the panels below each other, each with its own logarithmic scale. */
export function plot(panels: readonly Panel[]): string {
  const parts: string[] = [];
  let top = MARGIN;
  for (const panel of panels) {
    parts.push(...drawPanel(panel, top));
    top += TITLE_HEIGHT + panel.bars.length * ROW_HEIGHT + AXIS_HEIGHT;
  }
  const titles = panels.map(({ title }) => title).join("; ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" role="img" aria-label="${escapeText(titles)}">`,
    `<style>${STYLE}\n</style>`,
    `<rect class="back" width="${WIDTH}" height="${top}" rx="6"/>`,
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function drawPanel({ title, hint, bars }: Panel, top: number): string[] {
  const values = bars.flatMap(({ value, until }) => [value, until ?? value]);
  // Keeps the smallest bar visible.
  const low = Math.floor(Math.log10(Math.min(...values) * 0.8));
  const high = Math.log10(Math.max(...values) * 1.1);
  const left = MARGIN + LABEL_WIDTH;
  const width = WIDTH - left - VALUE_WIDTH - MARGIN;
  const x = (value: number) => left + (width * (Math.log10(value) - low)) / (high - low);
  const first = top + TITLE_HEIGHT;
  const bottom = first + bars.length * ROW_HEIGHT;
  const powers = Array.from({ length: Math.floor(high - low) + 1 }, (_, i) => 10 ** (low + i));
  return [
    text(MARGIN, top + 14, title, "title"),
    text(MARGIN, top + 31, `${hint}; logarithmic scale`, "quiet"),
    ...powers.flatMap((power) => [
      `<line class="grid" x1="${round(x(power))}" x2="${round(x(power))}" y1="${first}" y2="${bottom}"/>`,
      text(round(x(power)), bottom + 15, format(power), "quiet", "middle"),
    ]),
    ...bars.flatMap(({ label, value, until, kind }, i) => {
      const y = first + i * ROW_HEIGHT + (ROW_HEIGHT - BAR_HEIGHT) / 2;
      const middle = y + BAR_HEIGHT / 2;
      const end = x(until ?? value);
      return [
        text(left - 8, middle + 4.5, label, "", "end"),
        `<rect class="${kind}" x="${left}" y="${y}" width="${round(x(value) - left)}" height="${BAR_HEIGHT}" rx="2"/>`,
        ...(until === undefined
          ? []
          : [`<path class="until" fill="none" d="M${round(x(value))} ${middle}H${round(end)}m0 -4v8"/>`]),
        text(round(end) + 6, middle + 4.5, format(value)),
      ];
    }),
  ];
}

function appendPanel({ systems, inserts }: Measurement): Panel {
  const bars = systems.map(
    ({ name, title, appended }): Bar => ({
      label: isPeer(name) ? plain(title) : OWN[name].label,
      value: appended.batched,
      kind: isPeer(name) ? "peer" : "engram",
    }),
  );
  if (inserts !== null) {
    bars.push({ label: "limit: one bare INSERT", value: inserts.batched, kind: "limit" });
  }
  return { title: "Append in batches of 50, messages a second", hint: "longer is better", bars };
}

function searchPanel({ systems, messages }: Measurement): Panel {
  const bars = systems.flatMap(({ name, title, searches }) =>
    Object.entries(searches).map(([way, { p50, p99 }]): Bar => {
      const system = isPeer(name) ? plain(title) : OWN[name].label;
      const label = Object.keys(searches).length > 1 ? `${system}, ${way}` : system;
      return { label, value: p50, until: p99, kind: isPeer(name) ? "peer" : "engram" };
    }),
  );
  const least = systems.find(({ name }) => name === "engram")?.searches.hybrid;
  if (least && least.emptyP50 !== null) {
    const value = least.emptyP50 + least.scanP50;
    bars.push({ label: "limit: request + scan", value, kind: "limit" });
  }
  const count = messages.toLocaleString("en");
  return {
    title: `Search in ${count} messages, milliseconds`,
    hint: "bars and figures: half of the searches take less; lines: 99 of 100 do; shorter is better",
    bars,
  };
}

function text(x: number, y: number, content: string, className = "", anchor = "start"): string {
  const attributes = [className && ` class="${className}"`, anchor !== "start" && ` text-anchor="${anchor}"`];
  return `<text x="${x}" y="${y}"${attributes.filter(Boolean).join("")}>${escapeText(content)}</text>`;
}

const plain = (title: string): string => title.replace(/`/g, "").replace(/,.*/, "");

const escapeText = (content: string): string =>
  content.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const round = (value: number): number => Math.round(value * 10) / 10;

const format = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(2)));
