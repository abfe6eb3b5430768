import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
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

it.each(Object.entries(services))(
  "the service %s has a read-only root, no capability, no swap, and limits on processor, memory and processes",
  (_, configured) => {
    expect(service.safeParse(configured).error?.issues ?? []).toEqual([]);
  },
);

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

it.each(UNITS)(
  "the unit %s has limits, and writes no password or key to a swap disk or a core dump",
  (name) => {
    const unit = `${readFileSync(join(INSTALLED, name), "utf8")}${HARDENING}`;
    for (const line of [/^MemoryMax=\d+[MG]$/m, /^CPUQuota=\d+%$/m, /^TasksMax=\d+$/m])
      expect(unit).toMatch(line);
    for (const line of ["MemorySwapMax=0", "LimitCORE=0"]) expect(unit).toContain(`\n${line}\n`);
  },
);

/** Out of 100, as systemd counts. Our units have 12 to 19; one without any protection has 96. */
const MOST_EXPOSURE = 20;

const analyze = (...words: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", words, { encoding: "utf8" });
  return { status, said: stdout + stderr };
};

it.runIf(canTestWith("systemd-analyze")).each(UNITS)(
  "systemd understands the unit %s, and finds it little exposed",
  (name) => {
    const path = join(INSTALLED, name);
    expect(analyze("verify", path)).toEqual({ status: 0, said: "" });
    const { status, said } = analyze("security", "--offline=true", `--threshold=${MOST_EXPOSURE}`, path);
    expect(status, said).toBe(0);
  },
);
