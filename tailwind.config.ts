import type { Config } from "tailwindcss";
import { ROLES } from "./app/platform/config/palette";

/** Colours stand in the page as custom properties: the brand is known at the start, and the scheme in the browser. */
const COLOURS = Object.fromEntries(ROLES.map((role) => [role, `var(--${role})`]));

/** The design tokens. */
export default {
  // Only components have classes; a word in a comment elsewhere would become one.
  content: ["./app/**/*.tsx", "./app/ui/pictures/*.svg"],
  corePlugins: {
    // Plain colours: `rgb(0 0 0 / x)` is unknown to the oldest browsers that we style for.
    textOpacity: false,
    backgroundOpacity: false,
    borderOpacity: false,
    divideOpacity: false,
    // Unused, and each would give every element its custom properties.
    backdropBlur: false,
    backdropFilter: false,
    borderSpacing: false,
    boxShadow: false,
    contain: false,
    filter: false,
    fontVariantNumeric: false,
    gradientColorStops: false,
    ringWidth: false,
    scrollSnapType: false,
    touchAction: false,
    transform: false,
  },
  // An expression in our code that Tailwind takes for a class.
  blocklist: ["!field"],
  theme: {
    screens: {
      sm: "576px",
      md: "768px",
      lg: "992px",
      // A small phone with text at 200 %: for smaller paddings.
      tight: { max: "14em" },
    },
    colors: {
      transparent: "transparent",
      current: "currentColor",
      white: "#FFFFFF",
      ...COLOURS,
    },
    fontFamily: {
      mono: ["monospace"],
      // Until it has loaded, faces that most devices have, scaled to its width (tailwind.css).
      heading: ["Heading", "Heading-Arial", "Heading-Roboto", "system-ui", "sans-serif"],
      sans: [
        "system-ui",
        "-apple-system",
        '"Segoe UI"',
        "Roboto",
        '"Noto Sans"',
        '"Helvetica Neue"',
        "Arial",
        "sans-serif",
      ],
    },
    fontSize: {
      xs: ["0.75rem", "1rem"],
      sm: ["0.875rem", "1.25rem"],
      base: ["1rem", "1.5rem"],
      lg: ["1.125rem", "1.75rem"],
      xl: ["1.25rem", "1.75rem"],
      "2xl": ["1.5rem", "2rem"],
      "3xl": ["1.75rem", "2.25rem"],
      "4xl": ["2.25rem", "2.5rem"],
      "5xl": ["2.75rem", "3rem"],
    },
    borderRadius: { none: "0", control: "0.75rem", card: "1.25rem", full: "999px" },
    extend: {
      minHeight: { "button-lg": "3.25rem", "button-md": "2.75rem", "button-sm": "1.75rem", strip: "120px" },
      maxWidth: {
        xs: "18rem",
        page: "71.25rem",
        card: "30rem",
        line: "65ch",
      },
    },
  },
} satisfies Config;
