/** A colour as `#RRGGBB`. */
export type Colour = `#${string}`;

/** The four colours that define a brand. */
export interface ColourAnchors {
  /** Buttons and lines, with white text on it. */
  readonly primary: Colour;
  /** Large surfaces and the footer, with white text on it. */
  readonly dark: Colour;
  /** Used sparingly (a dot, a step, an underline), with ink-coloured text on it. */
  readonly accent: Colour;
  /** The colour of text. */
  readonly ink: Colour;
}

/** The anchors of the demo's brand. */
export const OWN_ANCHORS: ColourAnchors = {
  primary: "#006B75",
  dark: "#07333A",
  accent: "#F98A2B",
  ink: "#141E21",
};

const WHITE: Colour = "#FFFFFF";
const BLACK: Colour = "#000000";

/** The demo brand's shades, picked by hand; their contrasts are those of the design. */
const OWN_COLOURS: Readonly<Record<string, Colour>> = {
  "teal-50": "#EAF6F6",
  "teal-100": "#CFEAEA",
  "teal-200": "#A3D6D6",
  "teal-300": "#6DBCBE",
  "teal-400": "#3A9DA1",
  "teal-500": "#12808A",
  "teal-600": "#006B75",
  "teal-700": "#00565F",
  "teal-800": "#04444C",
  "teal-900": "#07333A",
  "orange-50": "#FFF4EB",
  "orange-100": "#FFE3CC",
  "orange-300": "#FFA65C",
  "orange-400": "#F98A2B",
  "orange-500": "#EA7104",
  "orange-700": "#984300",
  ink: "#141E21",
};

/** The names of the colours a brand sets, as used in the design system's classes. */
export const BRAND_COLOURS = Object.keys(OWN_COLOURS);

/** The least contrast by the WCAG formula; orange-700 and teal-700 are text on white. */
const MUST_BE_READ = [
  { name: "primary", on: WHITE, least: 4.5 },
  { name: "dark", on: WHITE, least: 9 },
  { name: "ink", on: WHITE, least: 12 },
] as const;

/** The anchors that are hard to read, each with the least contrast it must have; empty if all are readable. */
export function lowContrastColours(
  anchors: ColourAnchors,
): readonly { name: keyof ColourAnchors; least: number }[] {
  const accent = contrast(anchors.accent, anchors.ink) < 4.5 ? [{ name: "accent" as const, least: 4.5 }] : [];
  return [...MUST_BE_READ.filter(({ name, on, least }) => contrast(anchors[name], on) < least), ...accent];
}

/** Every colour of a brand, by its name in the design system. The demo's own are the hand-picked ones. */
export function coloursOf(anchors: ColourAnchors): Readonly<Record<string, Colour>> {
  const { primary, dark, accent, ink } = anchors;
  if (JSON.stringify(anchors) === JSON.stringify(OWN_ANCHORS)) return OWN_COLOURS;
  return {
    "teal-50": mixed(WHITE, primary, 0.08),
    "teal-100": mixed(WHITE, primary, 0.19),
    "teal-200": mixed(WHITE, primary, 0.36),
    "teal-300": mixed(WHITE, primary, 0.55),
    "teal-400": mixed(WHITE, primary, 0.77),
    "teal-500": mixed(WHITE, primary, 0.92),
    "teal-600": primary,
    "teal-700": mixed(primary, dark, 0.4),
    "teal-800": mixed(primary, dark, 0.75),
    "teal-900": dark,
    "orange-50": mixed(WHITE, accent, 0.09),
    "orange-100": mixed(WHITE, accent, 0.24),
    "orange-300": mixed(WHITE, accent, 0.75),
    "orange-400": accent,
    "orange-500": mixed(accent, BLACK, 0.12),
    "orange-700": darkEnough(accent, 7),
    ink,
  };
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The lightest shade of a colour that has this contrast on white. */
function darkEnough(colour: Colour, least: number): Colour {
  for (let share = 0; share < 1; share += 0.02) {
    const shade = mixed(colour, BLACK, share);
    if (contrast(shade, WHITE) >= least) return shade;
  }
  return BLACK;
}

function mixed(from: Colour, to: Colour, share: number): Colour {
  const [start, end] = [channels(from), channels(to)];
  const mix = start.map((value, nth) => Math.round(value + ((end[nth] ?? 0) - value) * share));
  return `#${mix.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: Colour): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}
