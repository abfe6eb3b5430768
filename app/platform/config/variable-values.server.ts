import { X509Certificate } from "node:crypto";
import { z } from "zod";
import { readFileSync, statSync } from "node:fs";

declare module "zod" {
  /** The facts about a variable for operators: docs/configuration.md is generated from them. */
  interface GlobalMeta {
    /** A secret, which can also come from the file that `X_FILE` names (S88). */
    secret?: true;
    /** When a start without it fails. Commands start without the variables that are needed only to serve. */
    needed?: "in production" | "in production, without BACKEND_URL" | "to serve in production";
  }
}

/** A number without sign, point or exponent, from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `a whole number from ${min} to ${max}`);

/** Comma-separated words; may be empty. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** An http or https origin: scheme, host and port, without a path. */
export const origin = (example: string) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, "")) return url.origin;
    context.addIssue({ code: "custom", message: `an origin such as ${example}` });
    return z.NEVER;
  });

/** More bytes than any secret, logo or list of certificates needs. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads a text file that an operator has named. Refuses devices and pipes, which could be endless (S116).
 * @throws Error if it can't be read, is not a file or is too large
 */
export function readSmallFile(path: string): string {
  const found = statSync(path);
  if (!found.isFile() || found.size > MOST_BYTES) throw new Error("not a file of at most 1 MB");
  return readFileSync(path, "utf8");
}

/** The content of a PEM file with certificates. */
export const certificates = z.string().transform((file, context) => {
  const pem = readCertificates(file);
  if (pem !== undefined) return pem;
  context.addIssue({ code: "custom", message: "a PEM file with certificates" });
  return z.NEVER;
});

function readCertificates(file: string): string | undefined {
  try {
    const pem = readSmallFile(file);
    // Throws if it isn't a certificate.
    return new X509Certificate(pem).subject === "" ? undefined : pem;
  } catch {
    return undefined;
  }
}
