import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer as createPlainServer } from "node:net";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../browsers/until";
import { canTestWith } from "../../../installed";
import { ACT } from "../../../operator-command";
import { freePort } from "../../../free-port";
import { makeCertificate, type Certificate } from "../../../topology/certificate";
import { openSealedAudit, type SealedAudit } from "../../../unit/operators/audit/sealed-audit";
import { newDataDir, variablesOf } from "../../../unit/backend/test-place";

const DEPLOY = fileURLToPath(new URL("../../../../deploy/", import.meta.url));
const CONFIGURATION = readFileSync(join(DEPLOY, "rsyslog", "portal-siem.conf"), "utf8");
const ROTATION = readFileSync(join(DEPLOY, "logrotate", "portal-siem"), "utf8");
const UNIT = readFileSync(join(DEPLOY, "systemd", "portal-siem.service"), "utf8");
const HAS_TLS = ["x86_64", "aarch64"].some((machine) =>
  existsSync(`/usr/lib/${machine}-linux-gnu/rsyslog/lmnsd_gtls.so`),
);

interface Files {
  readonly folder: string;
  readonly events: string;
  readonly cursor: string;
  readonly configuration: string;
  readonly rotation: string;
}

/** The shipped configuration, with the paths and the SIEM of this test filled in. */
function configured(dataDir: string, { certificate }: Certificate, port: number): Files {
  const folder = join(dataDir, "siem");
  mkdirSync(folder);
  const [events, cursor] = [join(folder, "events.jsonl"), join(folder, "cursor")];
  const own = [
    ["/var/log/portal-siem/", `${folder}/`],
    ["/etc/ssl/certs/ca-certificates.crt", certificate],
    ["siem.insurer.example", "127.0.0.1"],
    ['"6514"', `"${port}"`],
    ['action.resumeInterval="5"', 'action.resumeInterval="1"'],
  ] as const;
  let text = CONFIGURATION;
  for (const [from, to] of own) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  const configuration = join(folder, "rsyslog.conf");
  writeFileSync(configuration, `global(workDirectory="${folder}")\n${text}`);
  const rotation = join(folder, "logrotate.conf");
  // There is no unit to restart: the test starts the follower itself.
  const rules = ROTATION.replaceAll("/var/log/portal-siem/", `${folder}/`).replace(
    "systemctl try-restart",
    "true",
  );
  writeFileSync(rotation, rules, { mode: 0o600 });
  return { folder, events, cursor, configuration, rotation };
}

function keep(child: ChildProcess) {
  const ended = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return kill;
}

/** Runs the follower as its unit does, and returns how to kill it. */
function startFollower({ way }: SealedAudit, { events, cursor }: Files) {
  const file = openSync(events, "a", 0o600);
  const words = [
    "audit",
    "--follow",
    "--format",
    "jsonl",
    "--event",
    "signed-in",
    "--cursor",
    cursor,
    ...ACT,
  ];
  const child = spawn(process.execPath, [join("build", "portal"), ...words], {
    env: { PATH: process.env["PATH"], NODE_ENV: "production", ...variablesOf(way.place) },
    stdio: ["ignore", file, "inherit"],
  });
  closeSync(file);
  return keep(child);
}

function startRsyslog({ folder, configuration }: Files) {
  const pid = join(folder, "rsyslogd.pid");
  return keep(spawn("rsyslogd", ["-n", "-f", configuration, "-i", pid], { stdio: "ignore" }));
}

let rotatedIn = 0;

/** Rotates the file, as every day at midnight. The second is in its name, so it waits for another one. */
async function rotate({ folder, rotation }: Files): Promise<void> {
  const second = () => Math.floor(Date.now() / 1000);
  await until("another second", () => Promise.resolve(second() > rotatedIn));
  const { status, stderr } = spawnSync(
    "logrotate",
    ["--force", "--state", join(folder, "logrotate.state"), rotation],
    { encoding: "utf8" },
  );
  rotatedIn = second();
  expect(status, stderr).toBe(0);
}

/** A SIEM that takes syslog over TLS (RFC 5425), each message after its length. */
async function startSiem({ certificate, key }: Certificate, port: number) {
  const messages: string[] = [];
  const server: Server = createServer(
    { cert: readFileSync(certificate), key: readFileSync(key) },
    (socket) => {
      let text = "";
      socket.on("error", () => undefined);
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        for (;;) {
          const [head = "", length] = /^(\d+) /.exec(text) ?? [];
          const end = head.length + Number(length);
          if (length === undefined || text.length < end) return;
          messages.push(text.slice(head.length, end));
          text = text.slice(end);
        }
      });
    },
  );
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  expect((server.address() as AddressInfo).port).toBe(port);
  return messages;
}

/** Hangs up on each client, and counts them. */
async function startBrokenSiem(port: number) {
  let tries = 0;
  const server = createPlainServer((socket) => {
    tries += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const wait = async (count: number) => {
    await until("tries", () => Promise.resolve(tries >= count));
  };
  const stop = async () => {
    await new Promise((resolve) => server.close(resolve));
  };
  return { wait, stop };
}

describe.runIf(canTestWith("rsyslogd", "logrotate") && (HAS_TLS || process.env["CI"] !== undefined))(
  "rsyslog",
  () => {
    it("understands the configuration", () => {
      const folder = newDataDir();
      const file = join(folder, "rsyslog.conf");
      writeFileSync(file, `global(workDirectory="${folder}")\n${CONFIGURATION}`);
      const { status, stderr } = spawnSync("rsyslogd", ["-N1", "-f", file], { encoding: "utf8" });
      expect(status, stderr).toBe(0);
      expect(stderr).not.toMatch(/error|warning/i);
    });

    it("[S153] sends the SIEM every event, whichever of the three is away or killed", async () => {
      const audit = await openSealedAudit("sqlite");
      const certificate = await makeCertificate(audit.way.dataDir);
      const port = await freePort();
      const files = configured(audit.way.dataDir, certificate, port);
      const written = () => readFileSync(files.events, "utf8").split("\n").slice(0, -1);
      const lines = (count: number) => until("lines", () => Promise.resolve(written().length >= count));

      // The SIEM is away at first, and rsyslog is killed during that time.
      await audit.write(3);
      const killFollower = startFollower(audit, files);
      await lines(3);
      const broken = await startBrokenSiem(port);
      const killFirst = startRsyslog(files);
      await broken.wait(3);
      await killFirst();
      const killRsyslog = startRsyslog(files);
      await broken.wait(6);
      await broken.stop();
      const messages = await startSiem(certificate, port);
      const arrived = () => messages.map((message) => message.slice(message.indexOf("{")));
      const first = written();
      await until("three messages", () => Promise.resolve(messages.length >= 3));
      expect(arrived()).toEqual(first);
      expect(messages[0]).toMatch(
        /^<86>1 \d{4}-\d\d-\d\dT[\d:.]+[+-Z][\d:]* \S+ portal-audit - - - \{"time":"2026-11-20T12:00:00/,
      );

      // rsyslog is killed, and then the follower.
      await killRsyslog();
      await audit.write(3);
      await lines(6);
      await killFollower();
      await audit.write(3);
      const killThird = startRsyslog(files);
      const killSecond = startFollower(audit, files);
      const all = async () =>
        (await audit.way.query("select id from audit_events where event = 'signed-in' order by seq")).map(
          ({ id }) => id,
        );
      const received = () => arrived().map((line) => (JSON.parse(line) as { readonly id: string }).id);
      const everything = async (what: string) => {
        const ids = (await all()).map(String);
        await until(what, () => Promise.resolve(ids.every((id) => received().includes(id))));
        return ids;
      };
      const ids = await everything("nine events");
      expect(received().filter((id, at) => id !== received()[at - 1])).toEqual(ids);

      // Files of one line are rotated, twice while rsyslog is away.
      await killThird();
      let killLast = killSecond;
      for (let nth = 0; nth < 2; nth += 1) {
        await killLast();
        await rotate(files);
        await audit.write(1);
        killLast = startFollower(audit, files);
        await lines(1);
      }
      startRsyslog(files);
      // Whole files may overtake one another.
      const sent = await everything("the events of the rotations");
      expect([...new Set(received())].toSorted()).toEqual(sent.toSorted());
    });
  },
);

it("the unit, rsyslog and logrotate mean the same file, and the unit never stops for good", () => {
  const [, file = ""] = /^StandardOutput=append:(.*)$/m.exec(UNIT) ?? [];
  expect(CONFIGURATION).toContain(`File="${file.replace(".jsonl", "*.jsonl")}"`);
  expect(ROTATION).toContain(`\n${file} {\n`);
  expect(UNIT).toMatch(/^Restart=always$/m);
  expect(UNIT).toMatch(/--follow --format jsonl --cursor \/var\/lib\/portal-siem\/cursor /);
});
