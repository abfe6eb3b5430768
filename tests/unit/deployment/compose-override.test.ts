import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { scopeOf } from "~/platform/config/command-needs.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { isSecret } from "./variables";

const DEPLOY = fileURLToPath(new URL("../../../deploy/", import.meta.url));
const service = z.looseObject({
  environment: z.record(z.string(), z.string()).optional(),
  secrets: z.array(z.string()).optional(),
});
const file = (name: string) =>
  z
    .looseObject({ services: z.record(z.string(), service), secrets: z.record(z.string(), z.unknown()) })
    .parse(parse(readFileSync(`${DEPLOY}${name}`, "utf8"), { merge: true }));
const usual = file("compose.yaml");
const example = file("compose.override.example.yaml");

/** What stands in `${NAME:?…}` comes from deploy/.env, and secrets from their files. */
const VALUES: Readonly<Record<string, string>> = {
  PUBLIC_ORIGIN: "https://portal.example",
  BRAND_NAME: "Insurer Example",
  BRAND_PHONES: "22 000 00 00, 800 000 000",
  BRAND_TERMS: "https://www.insurer.example/terms.pdf",
  BRAND_COOKIES: "https://www.insurer.example/cookies.pdf",
  BRAND_PRIVACY: "https://www.insurer.example/privacy",
  BRAND_SECURITY_CONTACT: "mailto:security@insurer.example",
  SMS_SENDER: "Insurer",
  SMTP_URL: "smtps://name:password@mail.insurer.example:465",
  SMS_SMSAPI_TOKEN: randomBytes(24).toString("hex"),
  SMS_FALLBACK_WEBHOOK_TOKEN: randomBytes(24).toString("hex"),
  SESSION_SECRET: randomBytes(32).toString("base64"),
  DATA_KEYS: `1:${randomBytes(32).toString("base64")}`,
  DATABASE_URL: "postgres://portal:password@database:5432/portal",
  MIGRATION_DATABASE_URL: "postgres://portal_owner:password@database:5432/portal",
};

it.each(Object.entries(example.services))("the example of an override lets %s start", (name, own) => {
  const base = usual.services[name];
  const asked = name === "purge" ? scopeOf(["database", "keys"]) : undefined;
  const secrets = [...(base?.secrets ?? []), ...(own.secrets ?? [])];
  const variables = Object.entries({ ...base?.environment, ...own.environment }).map(([key, value]) => {
    const secret = key.replace(/_FILE$/, "");
    if (secret === key || !isSecret(secret))
      return [key, value.startsWith("${") ? (VALUES[key] ?? /:-(.*)\}$/.exec(value)?.[1] ?? "") : value];
    if (asked?.needed.has(secret) === false) return [secret, ""];
    expect(secrets).toContain(value.replace("/run/secrets/", ""));
    return [secret, VALUES[secret] ?? ""];
  });
  // The logo is a file in the container.
  const { BRAND_LOGO, ...env } = Object.fromEntries(variables) as Record<string, string>;
  expect(BRAND_LOGO).toBe("/brand/logo.svg");
  const reading = readEnvironment(env, asked);
  expect(reading.ok ? [] : reading.problems).toEqual([]);
});
