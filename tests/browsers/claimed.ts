/** The oldest browsers that get the styles, as caniuse names them. */
export const STYLED_FROM = ["chrome 70", "safari 12", "ios_saf 12.0-12.1", "firefox 78"];

/** A finding in the built styles that we accept, and why no customer is worse off. */
export interface Accepted {
  readonly why: string;
  /** The rules or declarations: exactly these must be found. */
  readonly uses: RegExp;
}

/** By caniuse's feature name. Entries no longer found must be removed. */
export const ACCEPTED: Readonly<Record<string, Accepted>> = {
  "css-appearance": {
    why: "they know the values we use, none and button, with the prefix that autoprefixer writes",
    uses: /^(-webkit-|-moz-)?appearance:(none|button|textfield)$/,
  },
  "css-content-visibility": {
    why: "only opens on paper what a button opens; browsers without ::details-content print it closed",
    uses: /^content-visibility:visible$/,
  },
  "css-focus-visible": {
    why: "is inside @supports selector(): browsers without it show the ring after a click as well",
    uses: /^:focus:not\(:focus-visible\)/,
  },
  "css-gradients": {
    why: "partial for colours that fade out; ours end at once",
    uses: /^background:linear-gradient\(to right,var\(--field\) 1ch,transparent 1ch\)/,
  },
  "css-hyphens": {
    why: "browsers without it, or without the language's words, break a long word where the line ends",
    uses: /^(-webkit-)?hyphens:auto$/,
  },
  "css-matches-pseudo": {
    why: "Tailwind's own rules; those that matter are repeated in tailwind.css without :where",
    uses: /^(abbr:where\(\[title\]\)|button,input:where\(|\[hidden\]:where\()/,
  },
  "css-math-functions": {
    why: "is minmax(), which every grid knows",
    uses: /^grid-template-columns:.*minmax\(0,1fr\)/,
  },
  "css-not-sel-list": {
    why: "isn't a list; the rule is repeated in tailwind.css",
    uses: /^\[hidden\]:where\(:not\(\[hidden=until-found\]\)\)/,
  },
  "css-overflow": {
    why: "partial for the keyword clip and two values at once, which we don't use",
    uses: /^overflow:(hidden|visible|auto)$/,
  },
  "css-resize": {
    why: "only affects textareas; there are none",
    uses: /^resize:vertical$/,
  },
  "css-text-indent": {
    why: "partial for the keywords hanging and each-line, which we don't use",
    uses: /^text-indent:0$/,
  },
  "css3-cursors": {
    why: "touch screens have no cursor",
    uses: /^cursor:not-allowed$/,
  },
  "css3-tabsize": {
    why: "Safari needs whole numbers, and we use them; we show no tabs",
    uses: /^(-moz-|-o-)?tab-size:4$/,
  },
  "font-family-system-ui": {
    why: "the first in a list that ends with fonts everybody has",
    uses: /^font-family:(Heading,Heading-Arial,Heading-Roboto,)?system-ui,/,
  },
  "css-page-break": {
    why: "without it the end of a sheet may cut a row in two",
    uses: /^page-break-inside:avoid$/,
  },
  multicolumn: {
    why: "is the gap of a grid, which every grid knows",
    uses: /^column-gap:1rem$/,
  },
  "prefers-color-scheme": {
    why: "browsers without it show the light scheme",
    uses: /^@media screen and \(prefers-color-scheme:dark\)/,
  },
  "prefers-reduced-motion": {
    why: "browsers without it show the motion",
    uses: /^@media\(prefers-reduced-motion:reduce\)/,
  },
  "text-decoration": {
    why: "a dotted underline may turn into a plain one; they know the longhand for the line",
    uses: /^((-webkit-)?text-decoration:underline dotted|text-decoration-line:(underline|none))$/,
  },
};

/**
 * Syntax that doiuse misses and our oldest browsers don't know. Each would lose a whole declaration. Not here:
 * `text-wrap`, since without it lines only break as they always did.
 */
export const TOO_NEW: readonly RegExp[] = [
  /[;{](aspect-ratio|accent-color|translate|rotate|scale|text-underline-offset|place-items|place-content):/,
  // Colours without commas, except in a Tailwind variable that nothing uses.
  /[;{](?!--)[^;{}:]+:[^;{}]*\b(rgba?|hsla?)\([^,)]+[ /]/,
  /\b(color-mix|light-dark|oklch|oklab|round|rem|mod)\(/,
  /@media[^{]*[<>]/,
  /@(property|starting-style|scope|view-transition)\b/,
  /overflow-wrap:anywhere/,
];
