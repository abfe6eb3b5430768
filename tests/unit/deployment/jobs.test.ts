import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { installed } from "./installed";
import { ACT, runCommand } from "../../operator-command";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");

type Variables = Readonly<Record<string, string>>;

/** The blocks of variables in docs/operations/production.md: the settings, and what a portal may be given besides. */
const [, page = ""] = read("docs/operations/production.md").split("\n## Settings\n");
const [settings = "", forwardProxy = "", secondGateway = "", mailServer = "", ...more] =
  page.match(/(?:^ {4}[A-Z_]+=.*\n)+/gm) ?? [];
const variablesIn = (block: string): Variables =>
  Object.fromEntries(
    [...block.matchAll(/^ {4}([A-Z_]+)=(?:"([^"]*)"|(\S+))/gm)].map(([, name = "", quoted, plain]) => [
      name,
      quoted ?? plain ?? "",
    ]),
  );
const SETS: readonly (readonly [string, Variables])[] = [
  ["the settings", variablesIn(settings)],
  ["a forward proxy", variablesIn(forwardProxy)],
  ["a second gateway", variablesIn(secondGateway)],
  ["a mail server", variablesIn(mailServer)],
  [
    "a webhook in place of SMSAPI.pl",
    {
      SMS_GATEWAY: "webhook",
      SMS_WEBHOOK_URL: "https://sms.insurer.example/messages",
      SMS_WEBHOOK_TOKEN_FILE: "/run/secrets/sms-webhook-token",
    },
  ],
];

it("docs/operations/production.md has no other set of variables", () => {
  expect(more).toEqual([]);
  expect(SETS.map(([, set]) => Object.keys(set)[0])).toEqual([
    "PORTAL_MODE",
    "HTTPS_PROXY",
    "SMS_FALLBACK_GATEWAY",
    "SMTP_URL_FILE",
    "SMS_GATEWAY",
  ]);
});

/** The database is the only thing that no job finds here. */
const NO_DATABASE = "postgres://portal@127.0.0.1:9/portal";
const KEYS = "1:q83vEjRWeJq83vEjRWeJq2u7Zw1pT0sXcVbNmLkJhGc=";
const SECRETS: Variables = {
  "data-keys": KEYS,
  "backup-mac-key": KEYS,
  "database-url": NO_DATABASE,
  "audit-database-url": NO_DATABASE,
  "backup-database-url": NO_DATABASE,
  "migration-database-url": NO_DATABASE,
};
const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";

/** A job that a deployment starts: the words of its command, its variables, and the secrets that it is given. */
interface Job {
  readonly name: string;
  readonly words: readonly string[];
  readonly variables: Variables;
  readonly secrets: readonly string[];
}

const PORTAL = /\bbuild\/portal (.+)$/;
const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** The units, with the file that systemd.md lets an operator write. */
function systemdJobs(set: Variables): readonly Job[] {
  const files: Record<string, Variables> = {
    "portal.env": {
      ...(parseEnv(read("deploy/systemd/portal.env")) as Variables),
      BACKUP_RECIPIENTS: RECIPIENT,
      ...set,
    },
  };
  return readdirSync(fileURLToPath(new URL("../../../deploy/systemd", import.meta.url)))
    .filter((name) => name.endsWith(".service"))
    .flatMap((name): Job[] => {
      const unit = read(`deploy/systemd/${name}`).replaceAll(/\\\n\s*/g, "");
      const [, command] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
      const [, words] = PORTAL.exec(command ?? "") ?? [];
      if (words === undefined) return [];
      const settings = [...unit.matchAll(/^EnvironmentFile=-?\/etc\/portal\/(.+)$/gm)].map(
        ([, file = ""]) => files[file] ?? {},
      );
      const own = [...unit.matchAll(/^Environment=(.*)$/gm)].map(
        ([, line = ""]) => parseEnv(line.split(" ").join("\n")) as Variables,
      );
      const secrets = [...unit.matchAll(/^LoadCredential=([^:]+):/gm)].map(([, secret = ""]) => secret);
      return [
        {
          name,
          words: wordsOf(words),
          variables: Object.assign({}, ...settings, ...own) as Variables,
          secrets,
        },
      ];
    });
}

const service = z.looseObject({
  command: z.array(z.string()).optional(),
  environment: z
    .record(
      z.string(),
      z
        .string()
        .nullable()
        .transform((value) => value ?? ""),
    )
    .optional(),
  secrets: z.array(z.string()).optional(),
});

/** The services of compose that run a command. An operator adds a set to the variables of all portals. */
function composeJobs(set: Variables): readonly Job[] {
  const text = read("deploy/compose.yaml").replace(/\$\{BACKUP_RECIPIENTS:\?[^}]*\}/, RECIPIENT);
  const { services } = z
    .object({ services: z.record(z.string(), service) })
    .parse(parse(text, { merge: true }));
  return Object.entries(services).flatMap(([name, { command = [], environment = {}, secrets = [] }]) => {
    const variables = "SESSION_SECRET_FILE" in environment ? { ...environment, ...set } : environment;
    return command[1] === "build/portal" ? [{ name, words: command.slice(2), variables, secrets }] : [];
  });
}

const secretSource = z.object({
  secret: z.object({ name: z.string(), items: z.array(z.object({ key: z.string() })).optional() }),
});
const pod = z.object({
  containers: z.tuple([
    z.looseObject({
      command: z.array(z.string()).optional(),
      envFrom: z.array(z.unknown()).optional(),
      env: z.array(z.object({ name: z.string(), value: z.string().optional() })).optional(),
    }),
  ]),
  volumes: z.array(
    z.looseObject({ projected: z.looseObject({ sources: z.array(secretSource) }).optional() }),
  ),
});

/** The keys of the Secrets that a pod may be given whole. */
const WHOLE: Readonly<Record<string, readonly string[]>> = {
  "portal-owner": ["migration-database-url"],
  "portal-audit": ["audit-database-url"],
  "portal-backup": ["backup-database-url", "backup-mac-key"],
};

/** The jobs of Kubernetes, with the settings of the example, to which an operator adds a set. */
function kubernetesJobs(set: Variables): readonly Job[] {
  const literals = [
    ...read("deploy/kubernetes/example/kustomization.yaml").matchAll(/^ {6}- ([A-Z_]+=.*)$/gm),
  ];
  const settings = {
    ...parseEnv([read("deploy/kubernetes/base/portal.env"), ...literals.map(([, line]) => line)].join("\n")),
    ...set,
  } as Variables;
  return ["migrate", "audit", "purge", "backup"].flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/base/${name}.yaml`)).map((document): Job => {
      const { spec } = z.object({ spec: z.looseObject({}) }).parse(document.toJS());
      const template = z
        .looseObject({ jobTemplate: z.object({ spec: z.object({ template: z.object({ spec: pod }) }) }) })
        .transform(({ jobTemplate }) => jobTemplate.spec.template.spec)
        .or(z.looseObject({ template: z.object({ spec: pod }) }).transform(({ template }) => template.spec))
        .parse(spec);
      const [{ command = [], envFrom = [], env = [] }] = template.containers;
      const own = Object.fromEntries(
        env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
      );
      return {
        name,
        words: command.slice(2),
        variables: {
          ...(envFrom.length > 0 && settings),
          ...own,
          ...(name === "backup" && { BACKUP_RECIPIENTS: RECIPIENT }),
        },
        secrets: template.volumes.flatMap(({ projected }) =>
          (projected?.sources ?? []).flatMap(
            ({ secret }) => secret.items?.map(({ key }) => key) ?? WHOLE[secret.name] ?? [],
          ),
        ),
      };
    }),
  );
}

/** An operator's commands on a machine with systemd, by commands.env. */
function commandsOfOperators(set: Variables): readonly Job[] {
  const variables = {
    ...parseEnv(read("deploy/systemd/portal.env")),
    ...set,
    ...parseEnv(readFileSync(join(installed(), "etc/portal/commands.env"), "utf8")),
  } as Variables;
  const secrets = Object.keys(SECRETS);
  return [
    ["import", "-"],
    ["account", "show", "--username", "anna.nowak", ...ACT],
    ["account", "reset-factors", "--username", "anna.nowak", ...ACT],
    ["policy", "show", "--policy-no", "POL-1", ...ACT],
    ["announce"],
    ["audit", "--verify"],
    ["erase", "--policy-no", "POL-1", ...ACT],
  ].map((words) => ({ name: `portal ${words.slice(0, 2).join(" ")}`, words, variables, secrets }));
}

/** Puts a job's secrets where its variables say, and everything that it writes into a folder of the test. */
function onThisMachine({ variables, secrets }: Job): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "portal-jobs-"));
  for (const name of secrets)
    if (SECRETS[name] !== undefined) writeFileSync(join(folder, name), SECRETS[name]);
  const here = Object.entries(variables).map(([name, value]) => [
    name,
    value.replace(/^(?:%d|\/run\/secrets|\/etc\/portal\/secrets)\//, `${folder}/`),
  ]);
  const own = { DATA_DIR: folder, ...("BACKUP_DIR" in variables && { BACKUP_DIR: folder }) };
  return { ...(Object.fromEntries(here) as Record<string, string>), ...own };
}

/** One round of a job that goes on. */
const once = (words: readonly string[]) =>
  words.flatMap((word, at) => (word === "--every" || words[at - 1] === "--every" ? [] : [word]));

describe.each(SETS)("with %s", (_set, set) => {
  it.each([
    ["systemd", systemdJobs(set), 5],
    ["compose", composeJobs(set), 4],
    ["Kubernetes", kubernetesJobs(set), 4],
    ["an operator's hands", commandsOfOperators(set), 7],
  ] as const)("the jobs of %s get as far as the database", async (_way, jobs, count) => {
    expect(jobs).toHaveLength(count);
    for (const job of jobs) {
      const { code, stderr } = await runCommand(onThisMachine(job), once(job.words));
      expect([job.name, code, stderr]).toEqual([
        job.name,
        1,
        expect.stringMatching(/^portal: PostgreSQL cannot be used now: connection refused\n$/) as string,
      ]);
    }
  });
});
