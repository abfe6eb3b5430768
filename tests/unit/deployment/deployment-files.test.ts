import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { smsFaults, unboundCodes } from "~/i18n/sms-texts.server";
import { BRAND_NEEDED } from "~/platform/config/brand-variables.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { LIMITS } from "~/platform/config/limits";
import { installed } from "./installed";
import { isSecret, isVariable } from "./variables";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../deploy/${path}`, import.meta.url)), "utf8");
const COMPOSE = read("compose.yaml");
const UNIT = read("systemd/portal@.service");
const TEMPLATE = read("nginx/portal.conf.template");
const NOT_OURS = new Set(["NODE_ENV"]);

/** The variables that each file sets. */
const ASSIGNMENTS = {
  "compose.yaml": [...(COMPOSE.split("services:")[0] ?? "").matchAll(/^ {4}([A-Z_]+): /gm)],
  "portal@.service": [...UNIT.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) => [
    ...line.matchAll(/([A-Z_]+)=/g),
  ]),
  "commands.env": [
    ...readFileSync(`${installed(["sms-token", "smtp-url"])}/etc/portal/commands.env`, "utf8").matchAll(
      /^([A-Z_]+)=/gm,
    ),
  ],
};

const names = (file: keyof typeof ASSIGNMENTS) => ASSIGNMENTS[file].map(([, name = ""]) => name);

describe("the deployment files", () => {
  it.each(Object.entries(ASSIGNMENTS))(
    "%s: sets only variables the portal knows, and secrets only through files",
    (_, assignments) => {
      const names = assignments.map(([, name = ""]) => name).filter((name) => !NOT_OURS.has(name));
      expect(names).toContain("SESSION_SECRET_FILE");
      for (const name of names) {
        expect(isSecret(name), name).toBe(false);
        const variable = name.replace(/_FILE$/, "");
        expect(isVariable(name) || isSecret(variable), name).toBe(true);
      }
    },
  );

  it("[S126] every example sets the brand, without which a production portal doesn't serve", () => {
    const kubernetes = read("kubernetes/example/kustomization.yaml");
    const examples = {
      compose: names("compose.yaml"),
      systemd: [...read("systemd/portal.env").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
      kubernetes: [...kubernetes.matchAll(/^ {6}- ([A-Z_]+)=/gm)].map(([, name]) => name),
    };
    for (const [which, set] of Object.entries(examples))
      expect(set, which).toEqual(expect.arrayContaining([...BRAND_NEEDED, "TRUSTED_PROXIES"]));
  });

  it("systemd's example starts a portal, with the secrets beside it", () => {
    const source = Object.fromEntries(
      [...read("systemd/portal.env").matchAll(/^([A-Z_]+)="?([^"\n]*)"?$/gm)].map(([, name, value]) => [
        String(name),
        value,
      ]),
    );
    const secrets = {
      SESSION_SECRET: randomBytes(32).toString("base64"),
      DATA_KEYS: `1:${randomBytes(32).toString("base64")}`,
      SMS_SMSAPI_TOKEN: randomBytes(16).toString("hex"),
      DATABASE_URL: "postgres://portal@127.0.0.1:5432/portal",
    };
    const reading = readEnvironment({ ...source, ...secrets });
    expect(reading.ok ? [] : reading.problems).toEqual([]);
    const { hostname } = new URL(source["PUBLIC_ORIGIN"] ?? "");
    const [helpline] = (source["BRAND_PHONES"] ?? "").split(",");
    const smsName = source["BRAND_NAME"]?.split(" ")[0] ?? "";
    expect([smsFaults(smsName, { helpline }), unboundCodes(smsName, hostname)]).toEqual([[], []]);
  });

  it("portal-sqlite.conf leaves a portal all secrets of its unit but the database's", () => {
    const credentials = (text: string) =>
      [...text.matchAll(/^LoadCredential=(.*)$/gm)].map(([, of = ""]) => of);
    const [database, ...others] = [/^database-url:/, /^(?!database-url:)/].map((which) =>
      credentials(UNIT).filter((credential) => which.test(credential)),
    );
    expect(database).toHaveLength(1);
    const conf = read("systemd/portal-sqlite.conf");
    // The first, empty one resets those of the unit.
    expect(credentials(conf)).toEqual(["", ...others.flat()]);
    expect(conf).toContain("\nUnsetEnvironment=DATABASE_URL_FILE\n");
  });

  it.each([
    ["portal", UNIT, COMPOSE],
    ["help desk", read("systemd/portal-help-desk.service"), read("compose.help-desk.yaml")],
  ])("[S103] systemd and compose wait longer than a %s needs to stop", (_which, unit, compose) => {
    const needed = (LIMITS.STOP_NOTICE_MS + LIMITS.STOP_DIVERT_MS + LIMITS.STOP_MS) / 1000;
    expect(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1])).toBeGreaterThan(needed);
    expect(Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1])).toBeGreaterThan(needed);
  });

  it.each([
    ["portals", TEMPLATE],
    ["the help desk", read("nginx/help-desk.conf.template")],
  ])(
    "[S60, S63] nginx passes on to %s nothing that only itself may say, and bodies as large as they take",
    (_which, template) => {
      for (const name of ["X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "X-Device-Name"])
        expect(template).toMatch(new RegExp(`proxy_set_header ${name} +"";`));
      for (const name of ["X-Forwarded-For", "X-Request-Id"])
        expect(template).toMatch(new RegExp(`proxy_set_header ${name} +[$]`));
      for (const name of ["client_max_body_size", "client_body_buffer_size"])
        expect(Number(new RegExp(`${name} +(\\d+)k;`).exec(template)?.[1]) * 1024).toBe(
          LIMITS.FORM_BODY_BYTES,
        );
    },
  );

  it("[S105] nginx limits the same that the portals limit without it: requests at once, of an address or a /64", () => {
    expect(Number(/limit_conn +portal_clients (\d+);/.exec(TEMPLATE)?.[1])).toBe(LIMITS.ADDRESS_CONNECTIONS);
    const [, map = ""] = /map \$remote_addr \$client_network \{([^]*?)\n\}/.exec(TEMPLATE) ?? [];
    const halves = [...map.matchAll(/"~(\S+)"/g)].map(([, pattern = ""]) => new RegExp(pattern));
    const network = (address: string) =>
      halves.map((half) => half.exec(address)?.[1]).find((found) => found !== undefined) ?? address;
    for (const [address, counted] of [
      ["203.0.113.9", "203.0.113.9"],
      ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2:"],
      ["2001:db8:1:2::1", "2001:db8:1:2:"],
      ["2001:db8:1::1", "2001:db8:1::"],
      ["2001:db8::1", "2001:db8::"],
      ["::1", "::"],
    ] as const)
      expect(network(address)).toBe(counted);
  });

  it("[S103] nginx closes idle connections before a stopping portal does, and never sends a form twice", () => {
    const [upstream = ""] = TEMPLATE.split("\n}");
    expect(Number(/keepalive_timeout (\d+)s;/.exec(upstream)?.[1]) * 1000).toBeLessThan(LIMITS.STOP_IDLE_MS);
    for (const [line] of TEMPLATE.matchAll(/^ *proxy_next_upstream .*$/gm))
      expect(line).not.toContain("non_idempotent");
  });

  it("[S103] a frozen portal costs a customer at most 3 s, however nginx meets it", () => {
    const location = (start: string) => TEMPLATE.split(`location ${start} {`)[1]?.split("\n    }")[0] ?? "";
    const tries = Number(/proxy_next_upstream_tries +(\d+);/.exec(TEMPLATE)?.[1]);
    for (const where of ["= /_nginx/alive", "^~ /assets/"]) {
      const ms = Number(/proxy_read_timeout +(\d+)ms;/.exec(location(where))?.[1]);
      expect(tries * ms, where).toBeLessThanOrEqual(3000);
    }
    expect(location("/")).toMatch(/auth_request +\/_nginx\/alive;/);
    // A request goes to the portal asked whether it is alive, and one failure is enough to avoid a portal.
    expect(TEMPLATE).toContain("hash $request_id;");
    expect(COMPOSE.match(/max_fails=1 /g)).toHaveLength(2);
  });

  it("[S128] a document has begun, or is refused, well before nginx gives up and asks another portal", () => {
    const seconds = Number(/^ *proxy_read_timeout +(\d+)s;/m.exec(TEMPLATE)?.[1]);
    expect(LIMITS.PDF_MS).toBeLessThanOrEqual(8000);
    expect(LIMITS.PDF_MS).toBeLessThan(seconds * 1000);
  });
});
