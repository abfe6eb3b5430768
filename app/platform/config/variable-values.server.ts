import { z } from "zod";

declare module "zod" {
  /** What is said of a variable, for operators: docs/configuration.md is made of it. */
  interface GlobalMeta {
    /** A secret may also be read from a file: `X_FILE` names it (S88). */
    secret?: true;
    /** When production doesn't start without it. */
    needed?: "in production" | "in production, without BACKEND_URL";
  }
}

/** A number without sign, point or exponent, within bounds. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `a whole number from ${min} to ${max}`);

/** Words separated by commas; may be empty. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** Scheme, host and port of http or https, without a path. */
export const origin = (example: string) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, "")) return url.origin;
    context.addIssue({ code: "custom", message: `an origin such as ${example}` });
    return z.NEVER;
  });
