import { BLACK, contrast, mixed, readable, WHITE, type Colour } from "./colour";

/** The four colours that define a brand. */
export interface ColourAnchors {
  /** For buttons and lines, with white text on it. */
  readonly primary: Colour;
  /** For large surfaces and the footer, with white text on it. */
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

/** The uses of colours. A class such as `bg-card` names the role, and each scheme gives it a colour. */
export const ROLES = [
  // Surfaces and lines.
  "page",
  "card",
  "sunken",
  "tint",
  "line",
  "field",
  // Text.
  "ink",
  "muted",
  "link",
  // The primary button, and the text on it.
  "primary",
  "primary-strong",
  "on-primary",
  // The accent: a dot, a step, an underline; as text; behind text.
  "accent",
  "accent-text",
  "accent-tint",
  // The panel beside the sign-in form, and the footer: dark in both schemes, with white text on it.
  "band",
  "band-shape",
  "band-muted",
  // Results.
  "danger",
  "danger-tint",
  "success",
  "success-tint",
  "info",
  "info-tint",
  // The two rings around the focused element.
  "ring",
  "halo",
  // Pictures: contours, the main surface, a softer one, paper.
  "art-line",
  "art-main",
  "art-soft",
  "art-paper",
] as const;
/** The role of a colour. */
export type Role = (typeof ROLES)[number];

/** A scheme's colours, by their role; the design system's classes use the same names. */
export type Scheme = Readonly<Record<Role, Colour>>;

/** Colours that no brand changes. */
const LIGHT_COMMON = {
  page: "#F8F6F1",
  card: "#FFFFFF",
  sunken: "#EFEBE3",
  line: "#DDD8CC",
  field: "#6B7472",
  muted: "#4F5D60",
  "on-primary": "#FFFFFF",
  danger: "#B3261E",
  "danger-tint": "#FDF1F0",
  success: "#1E7A3C",
  "success-tint": "#EDF7EF",
  info: "#1F5FA8",
  "info-tint": "#EFF5FC",
  "art-paper": "#FFFFFF",
} as const;
const DARK_COMMON = {
  ink: "#EAF2F3",
  muted: "#A9BDC1",
  field: "#7F979C",
  danger: "#FF9A91",
  "danger-tint": "#3A2222",
  success: "#7FD39A",
  "success-tint": "#173527",
  info: "#9CC4F5",
  "info-tint": "#172C44",
} as const;

/** The demo brand's colours, picked by hand, with the contrasts of the design. */
const OWN_SCHEMES: Readonly<Record<"light" | "dark", Scheme>> = {
  light: {
    ...LIGHT_COMMON,
    tint: "#E4F2F1",
    ink: "#141E21",
    link: "#00565F",
    primary: "#006B75",
    "primary-strong": "#04444C",
    accent: "#F98A2B",
    "accent-text": "#984300",
    "accent-tint": "#FFEAD8",
    band: "#07333A",
    "band-shape": "#0B454E",
    "band-muted": "#CFE3E4",
    ring: "#07333A",
    halo: "#FFA65C",
    "art-line": "#07333A",
    "art-main": "#006B75",
    "art-soft": "#BFE0DF",
  },
  dark: {
    ...DARK_COMMON,
    page: "#0B1B1F",
    card: "#12272C",
    sunken: "#1D363C",
    tint: "#13303A",
    line: "#2C464C",
    link: "#7CCBCD",
    primary: "#7CCBCD",
    "primary-strong": "#A9DEDF",
    "on-primary": "#07252A",
    accent: "#F98A2B",
    "accent-text": "#FFB066",
    "accent-tint": "#3A2A1A",
    band: "#07333A",
    "band-shape": "#0B454E",
    "band-muted": "#CFE3E4",
    ring: "#EAF2F3",
    halo: "#F98A2B",
    "art-line": "#BFE0DF",
    "art-main": "#2F8F96",
    "art-soft": "#1F4C53",
    "art-paper": "#16343A",
  },
};

/** The least contrast by the WCAG formula. */
const MUST_BE_READ = [
  { name: "primary", on: WHITE, least: 4.5 },
  { name: "dark", on: WHITE, least: 9 },
  { name: "ink", on: WHITE, least: 12 },
] as const;

/** The anchors that are hard to read, each with the contrast that it needs; empty if all are readable. */
export function lowContrastColours(
  anchors: ColourAnchors,
): readonly { name: keyof ColourAnchors; least: number }[] {
  const accent = contrast(anchors.accent, anchors.ink) < 4.5 ? [{ name: "accent" as const, least: 4.5 }] : [];
  return [...MUST_BE_READ.filter(({ name, on, least }) => contrast(anchors[name], on) < least), ...accent];
}

/** Every colour of a brand, light and dark. The demo's own are the hand-picked ones. */
export function schemesOf(anchors: ColourAnchors): Readonly<Record<"light" | "dark", Scheme>> {
  if (JSON.stringify(anchors) === JSON.stringify(OWN_ANCHORS)) return OWN_SCHEMES;
  return { light: lightScheme(anchors), dark: darkScheme(anchors) };
}

function lightScheme(anchors: ColourAnchors): Scheme {
  const { primary, dark, accent, ink } = anchors;
  const tint = mixed(WHITE, primary, 0.1);
  const accentTint = mixed(WHITE, accent, 0.2);
  return {
    ...LIGHT_COMMON,
    ...bandOf(anchors),
    tint,
    ink,
    link: readable(mixed(primary, dark, 0.4), tint),
    primary,
    "primary-strong": mixed(primary, dark, 0.75),
    accent,
    "accent-text": readable(accent, accentTint),
    "accent-tint": accentTint,
    ring: dark,
    halo: mixed(WHITE, accent, 0.75),
    "art-line": dark,
    "art-main": primary,
    "art-soft": mixed(WHITE, primary, 0.3),
  };
}

function darkScheme(anchors: ColourAnchors): Scheme {
  const { primary, dark, accent } = anchors;
  const page = mixed(dark, BLACK, 0.5);
  const sunken = mixed(page, WHITE, 0.14);
  const accentTint = mixed(page, accent, 0.18);
  const light = readable(mixed(WHITE, primary, 0.5), sunken);
  return {
    ...DARK_COMMON,
    ...bandOf(anchors),
    page,
    card: mixed(page, WHITE, 0.06),
    sunken,
    tint: mixed(page, primary, 0.22),
    line: mixed(page, WHITE, 0.2),
    link: light,
    primary: light,
    "primary-strong": mixed(light, WHITE, 0.4),
    "on-primary": readable(dark, light),
    accent,
    "accent-text": readable(accent, accentTint),
    "accent-tint": accentTint,
    ring: DARK_COMMON.ink,
    halo: accent,
    "art-line": mixed(WHITE, primary, 0.3),
    "art-main": mixed(WHITE, primary, 0.8),
    "art-soft": mixed(page, primary, 0.4),
    "art-paper": mixed(page, primary, 0.15),
  };
}

function bandOf({ primary, dark }: ColourAnchors) {
  return {
    band: dark,
    "band-shape": mixed(dark, primary, 0.3),
    "band-muted": mixed(WHITE, dark, 0.18),
  };
}
