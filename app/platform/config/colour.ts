/** A colour as `#RRGGBB`. */
export type Colour = `#${string}`;

/** The least contrast of text that is easy to read, above the 4.5 of WCAG AA. */
const READ = 5.5;

export const WHITE: Colour = "#FFFFFF";
export const BLACK: Colour = "#000000";

/** The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The closest shade of a colour that is easy to read on a surface: darker on a light one, lighter on a dark one. */
export function readable(colour: Colour, surface: Colour): Colour {
  const end = contrast(surface, BLACK) > contrast(surface, WHITE) ? BLACK : WHITE;
  for (let share = 0; share < 1; share += 0.02) {
    const shade = mixed(colour, end, share);
    if (contrast(shade, surface) >= READ) return shade;
  }
  return end;
}

/** The colour that lies this share of the way from one colour to another. */
export function mixed(from: Colour, to: Colour, share: number): Colour {
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
