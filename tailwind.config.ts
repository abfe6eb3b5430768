import type { Config } from "tailwindcss";
import { BRAND_COLOURS } from "./app/platform/config/palette";

/** The colours of the brand stand in the page as custom properties; they are known at the start, not at the build. */
const BRAND = Object.fromEntries(BRAND_COLOURS.map((name) => [name, `var(--${name})`]));

/** The design tokens. Contrasts of the ramps were computed by the WCAG formula; text starts at teal-500, orange-600, neutral-500. */
export default {
  // Classes stand in components only; a word of a comment elsewhere would become one.
  content: ["./app/**/*.tsx"],
  // Plain hex colours: `rgb(0 0 0 / x)` is unknown to the oldest browsers that we style for.
  corePlugins: { textOpacity: false, backgroundOpacity: false, borderOpacity: false, divideOpacity: false },
  theme: {
    screens: { sm: "576px", md: "768px", lg: "992px", xl: "1200px" },
    colors: {
      transparent: "transparent",
      current: "currentColor",
      white: "#FFFFFF",
      ...BRAND,
      neutral: {
        50: "#F5F8F8",
        100: "#E9EFEF",
        200: "#D5DEDF",
        300: "#B7C4C6",
        500: "#62747A",
        600: "#536367",
        700: "#3D4B4F",
      },
      red: { 50: "#FDF1F0", 600: "#B3261E", 700: "#8C1D18" },
      green: { 50: "#EDF7EF", 600: "#1E7A3C", 700: "#17612F" },
      blue: { 50: "#EFF5FC", 600: "#1F5FA8" },
    },
    fontFamily: {
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
      "4xl": ["2rem", "2.5rem"],
      "5xl": ["2.5rem", "3rem"],
    },
    borderRadius: { none: "0", control: "0.625rem", card: "1rem", dialog: "1.25rem", full: "999px" },
    extend: {
      minHeight: { "button-lg": "3.25rem", "button-md": "2.75rem", "button-sm": "1.75rem" },
      maxWidth: {
        xs: "18rem",
        page: "71.25rem",
        card: "30rem",
        wide: "55rem",
        consent: "40rem",
        line: "65ch",
      },
      boxShadow: { dialog: "0 16px 48px rgba(7,51,58,.24)" },
    },
  },
} satisfies Config;
