import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { canTestWith } from "../../installed";

const DEPLOY = fileURLToPath(new URL("../../../deploy/", import.meta.url));

const service = z
  .looseObject({
    read_only: z.literal(true),
    cap_drop: z.tuple([z.literal("ALL")]),
    security_opt: z.tuple([z.literal("no-new-privileges:true")]),
    mem_limit: z.string().regex(/^\d+[mg]$/),
    memswap_limit: z.string(),
    cpus: z.number().positive().max(2),
    pids_limit: z.number().int().positive().max(256),
    logging: z.object({
      driver: z.literal("local"),
      options: z.object({ "max-size": z.string().regex(/^\d+m$/), "max-file": z.string().regex(/^\d+$/) }),
    }),
  })
  // Memory and swap together: no password or key is written to a swap disk.
  .refine(({ mem_limit, memswap_limit }) => mem_limit === memswap_limit, "swaps");
const servicesIn = (file: string) =>
  z
    .object({ services: z.record(z.string(), z.unknown()) })
    .parse(parse(readFileSync(join(DEPLOY, file), "utf8"), { merge: true })).services;
/** Of the second file, only the service that it adds. */
const services = {
  ...servicesIn("compose.yaml"),
  "help-desk": servicesIn("compose.help-desk.yaml")["help-desk"],
};

describe("each service in compose", () => {
  it.each(Object.entries(services))(
    "%s: has a read-only root, no capability, and limits on processor, memory, processes and log",
    (_, configured) => {
      expect(service.safeParse(configured).error?.issues ?? []).toEqual([]);
    },
  );

  it("only nginx has capabilities: to open its ports, and to give up being root", () => {
    const granted = Object.entries(services).filter(
      ([, configured]) => z.looseObject({ cap_add: z.unknown() }).safeParse(configured).success,
    );
    expect(granted.map(([name]) => name)).toEqual(["nginx"]);
  });
});

const UNITS = readdirSync(join(DEPLOY, "systemd")).filter((name) => name.endsWith(".service"));
const HARDENING = readFileSync(join(DEPLOY, "systemd/portal-hardening.conf"), "utf8");
/** A folder with the units and their drop-ins, as on a machine. */
const INSTALLED = mkdtempSync(join(tmpdir(), "units-"));
cpSync(join(DEPLOY, "systemd"), INSTALLED, { recursive: true });
for (const folder of ["portal-.service.d", "portal@.service.d"]) {
  mkdirSync(join(INSTALLED, folder));
  writeFileSync(join(INSTALLED, folder, "portal-hardening.conf"), HARDENING);
}
afterAll(() => {
  rmSync(INSTALLED, { recursive: true });
});

/** The lines that each unit has, whatever it runs. */
const NEEDED = [
  /^MemoryMax=\d+[MG]$/m,
  /^MemorySwapMax=0$/m,
  /^CPUQuota=\d+%$/m,
  /^TasksMax=\d+$/m,
  // A core dump would hold passwords and keys.
  /^LimitCORE=0$/m,
  /^LogNamespace=portal$/m,
  /^ProtectSystem=strict$/m,
  /^NoNewPrivileges=yes$/m,
];
/** The capability of root in the units that need one; all others have none. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  "portal-backup.service": "CAP_DAC_READ_SEARCH",
  "portal-nginx-log.service": "CAP_CHOWN",
};
/** Out of 100, as systemd counts. Our units have 12 to 19; one without any protection has 96. */
const MOST_EXPOSURE = 20;

describe.each(UNITS)("the unit %s", (name) => {
  const path = join(INSTALLED, name);
  const analyze = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
    return { status, said: stdout + stderr };
  };

  it("has limits on processor, memory, tasks and log, and can write only to its own folders", () => {
    const unit = `${readFileSync(path, "utf8")}${HARDENING}`;
    for (const needed of NEEDED) expect(unit).toMatch(needed);
    expect(unit).toContain(`\nCapabilityBoundingSet=${CAPABILITIES[name] ?? ""}\n`);
  });

  it.runIf(canTestWith("systemd-analyze"))("is understood by systemd, which finds it little exposed", () => {
    expect(analyze("verify", path)).toEqual({ status: 0, said: "" });
    const { status, said } = analyze("security", "--offline=true", `--threshold=${MOST_EXPOSURE}`, path);
    expect(status, said).toBe(0);
  });
});
