import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { HELP_DESK_SCOPE } from "~/platform/config/command-needs.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { isSecret, isVariable } from "./variables";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../deploy/${path}`, import.meta.url)), "utf8");
const UNIT = read("systemd/portal-help-desk.service");

type Variables = Readonly<Record<string, string>>;

const variablesIn = (text: string) => parseEnv(text) as Variables;

/** The unit's own, and those of its files. */
const ofUnit = (): Variables => ({
  // As help-desk.md says: with its lines.
  ...variablesIn(read("systemd/portal.env").replaceAll("#HELP_DESK_", "HELP_DESK_")),
  ...variablesIn(
    [...UNIT.matchAll(/^Environment=(.*)$/gm)].map(([, line = ""]) => line.replaceAll(" ", "\n")).join("\n"),
  ),
});

/** Those of a file of compose, with `${NAME:?…}` taken from the unit's example. */
const environmentIn = (text: string): Variables => {
  const { services } = z
    .object({
      services: z.object({ "help-desk": z.object({ environment: z.record(z.string(), z.string()) }) }),
    })
    .parse(parse(text, { merge: true }));
  const { environment } = services["help-desk"];
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.startsWith("${") ? (ofUnit()[name] ?? /:-(.*)\}$/.exec(value)?.[1] ?? "") : value,
    ]),
  );
};

const ofCompose = (): Variables => environmentIn(read("compose.help-desk.yaml"));

/** Those of the pod, with the portals' settings. */
const ofKubernetes = (): Variables => {
  const [pod] = parseAllDocuments(read("kubernetes/optional/help-desk.yaml"));
  const text = JSON.stringify(pod?.toJS());
  const own = [...text.matchAll(/\{"name":"([A-Z_]+)","value":"([^"]*)"\}/g)];
  const example = [...read("kubernetes/example/kustomization.yaml").matchAll(/^ {6}- ([A-Z_]+)=(.*)$/gm)];
  return {
    ...variablesIn(read("kubernetes/base/portal.env")),
    ...Object.fromEntries([...example, ...own].map(([, name = "", value = ""]) => [name, value])),
  };
};

const SECRETS: Variables = {
  DATA_KEYS: `1:${randomBytes(32).toString("base64")}`,
  DATABASE_URL: "postgres://portal_help_desk:word@database.internal:5432/portal",
  HELP_DESK_CLIENT_SECRET: randomBytes(16).toString("hex"),
  HELP_DESK_SECRETS: randomBytes(32).toString("base64"),
};

it.each([
  ["systemd", ofUnit],
  ["compose", ofCompose],
  ["Kubernetes", ofKubernetes],
])("%s's example starts a help desk in production, with secrets in files only", (_where, variablesOf) => {
  const variables = Object.entries(variablesOf()).filter(([name]) => name !== "NODE_ENV");
  for (const [name] of variables) {
    expect(isSecret(name), name).toBe(false);
    expect(isVariable(name) || isSecret(name.replace(/_FILE$/, "")), name).toBe(true);
  }
  const files = variables.filter(([name]) => isSecret(name.replace(/_FILE$/, ""))).map(([name]) => name);
  expect(files.toSorted()).toEqual(
    Object.keys(SECRETS)
      .map((name) => `${name}_FILE`)
      .toSorted(),
  );
  const others = variables.filter(([name]) => !files.includes(name));
  const reading = readEnvironment({ ...Object.fromEntries(others), ...SECRETS }, HELP_DESK_SCOPE);
  expect(reading.ok ? [] : reading.problems).toEqual([]);
  expect(Object.fromEntries(others)).toMatchObject({ PORTAL_MODE: "production" });
});

it("the line for it in the example of an override gives it the portals' limits and ways to customers", () => {
  const example = read("compose.override.example.yaml").replace("# help-desk:", "help-desk:");
  // The logo is a file in the container.
  const { BRAND_LOGO, ...variables } = { ...ofCompose(), ...environmentIn(example) };
  expect(BRAND_LOGO).toBe("/brand/logo.svg");
  const others = Object.entries(variables).filter(([name]) => !isSecret(name.replace(/_FILE$/, "")));
  const reading = readEnvironment({ ...Object.fromEntries(others), ...SECRETS }, HELP_DESK_SCOPE);
  expect(reading).toMatchObject({
    ok: true,
    environment: { SMTP_FROM: "portal@insurer.example", limits: { SMS_KNOWN_TOTAL_PER_HOUR: 4000 } },
  });
});
