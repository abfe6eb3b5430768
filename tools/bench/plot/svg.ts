import { measuredOn, type Report } from "../report";
import { FIELD, FIELD_MEASURED } from "./field";
import { pagePairs, type PageFigure } from "./page-pairs";

/** All sizes in pixels. */
const WIDTH = 960;
const NAMES = 270;
const GAP = 60;
const PANEL = (WIDTH - NAMES - 2 * GAP) / 2;
const LINE = 36;
const MARGIN = 16;
const HEADING = 44;
const TOP = 34;

/** Light or dark, as the reader prefers; with a background of its own, since the page around it may be the other. */
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2933 }
  .strong { font-weight: 600 }
  .small { font-size: 11px; fill: #52606d }
  .paper { fill: #ffffff }
  .ours { fill: #0f766e }
  .other { fill: #9aa5b1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb }
    .small { fill: #9aa5b1 }
    .paper { fill: #111820 }
    .ours { fill: #2dd4bf }
    .other { fill: #616e7c }
  }`;

type Kind = "ours" | "other";

/** The bars of one name in each panel, one below the other; the second one is thinner. */
interface Line {
  readonly name: string;
  readonly bars: readonly (readonly [Kind, PageFigure])[];
}

/** One panel: its heading, its figure and where it begins. */
interface Panel {
  readonly heading: string;
  readonly of: (figure: PageFigure) => number;
  readonly left: number;
  readonly digits: number;
}

const PANELS: readonly Panel[] = [
  { heading: "pages a second", of: ({ perSecond }) => perSecond, left: NAMES, digits: 0 },
  { heading: "ms of processor time a page", of: ({ cpuMs }) => cpuMs, left: NAMES + PANEL + GAP, digits: 1 },
];

/** Draws a report's pages beside the floor page, and the field below them. @throws Error if it has no pages */
export function drawPlot(report: Report): string {
  const own = pagePairs(report).map(({ name, ours, floor }): Line => ({
    name,
    bars: [
      ["ours", ours],
      ["other", floor],
    ],
  }));
  if (own.length === 0) throw new Error("the last run has measured no pages: npm run bench pages");
  const field = FIELD.map((figure): Line => ({
    name: figure.name,
    bars: [[figure.name.startsWith("Ours") ? "ours" : "other", figure]],
  }));
  const largest = PANELS.map(({ of }) =>
    Math.max(...[...own, ...field].flatMap(({ bars }) => bars.map(([, figure]) => of(figure)))),
  );
  const fieldTop = TOP + HEADING + own.length * LINE;
  const height = fieldTop + HEADING + field.length * LINE + 10;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-MARGIN} ${-MARGIN} ${WIDTH + 2 * MARGIN} ${height + 2 * MARGIN}" role="img" aria-labelledby="title desc">`,
    `<title id="title">What a page costs</title>`,
    `<desc id="desc">${escaped(description(report))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${WIDTH + 2 * MARGIN}" height="${height + 2 * MARGIN}" class="paper"/>`,
    ...PANELS.map(({ heading, left }) => text(left, 18, heading, "strong")),
    text(0, TOP + 18, "Ours (wide) beside Remix with one form (narrow)", "strong"),
    text(0, TOP + 34, measuredOn(report), "small"),
    ...block(own, TOP + HEADING, largest),
    text(0, fieldTop + 18, "The field", "strong"),
    text(0, fieldTop + 34, FIELD_MEASURED, "small"),
    ...block(field, fieldTop + HEADING, largest),
    "</svg>\n",
  ].join("\n");
}

function block(lines: readonly Line[], top: number, largest: readonly number[]): readonly string[] {
  return lines.flatMap(({ name, bars }, index) => {
    const y = top + index * LINE;
    return [
      text(0, y + 15, name),
      ...PANELS.flatMap((panel, nth) =>
        bars.flatMap(([kind, figure], which) =>
          bar(panel, kind, panel.of(figure), largest[nth] ?? 1, y, which),
        ),
      ),
    ];
  });
}

function bar(
  { left, digits }: Panel,
  kind: Kind,
  value: number,
  largest: number,
  y: number,
  which: number,
): readonly string[] {
  const width = Math.max(1, (value / largest) * PANEL).toFixed(1);
  const [top, thickness] = which === 0 ? [y + 4, 13] : [y + 21, 4];
  return [
    `<rect x="${left}" y="${top}" width="${width}" height="${thickness}" class="${kind}"/>`,
    text(
      left + Number(width) + 4,
      which === 0 ? y + 15 : y + 28,
      value.toFixed(digits),
      which === 0 ? "" : "small",
    ),
  ];
}

function text(x: number, y: number, words: string, kind = ""): string {
  return `<text x="${x.toFixed(1)}" y="${y}"${kind && ` class="${kind}"`}>${escaped(words)}</text>`;
}

/** The figures in words, for people who don't see the picture. */
function description(report: Report): string {
  const say = ({ perSecond, cpuMs }: PageFigure) =>
    `${perSecond.toFixed(0)} a second, ${cpuMs.toFixed(1)} ms`;
  const own = pagePairs(report).map(
    ({ name, ours, floor }) => `${name}: ${say(ours)} (floor page: ${say(floor)})`,
  );
  const field = FIELD.map((figure) => `${figure.name}: ${say(figure)}`);
  return `${measuredOn(report)} ${own.join("; ")}. The field, ${FIELD_MEASURED}: ${field.join("; ")}.`;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
