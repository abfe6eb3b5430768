import { readFileSync } from "node:fs";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readEnvironment } from "~/platform/config/environment.server";
import { LIMITS } from "~/platform/config/limits";
import { inRepository } from "../../../../unit/house/repository";
import { isSecret, isVariable } from "../../../../unit/deployment/variables";
import { CONTAINERS, SETTINGS, containerOf, manifestsOf, ofKind, podOf, read, type Pod } from "./manifests";

const GUIDE = readFileSync(inRepository("docs/operations/kubernetes.md"), "utf8");
/** The keys of each Secret, as the External Secrets Operator would make it. */
const SECRETS = new Map(
  manifestsOf("optional")
    .filter(({ kind }) => kind === "ExternalSecret")
    .map(({ name, object }) => [
      name,
      z
        .object({ spec: z.object({ data: z.array(z.object({ secretKey: z.string() })) }) })
        .parse(object)
        .spec.data.map(({ secretKey }) => secretKey),
    ]),
);
/** Possible contents of the files of these names. */
const SECRET_VALUES: Readonly<Record<string, string>> = {
  "session-secret": "xJ4v1Wq8ZtGm0bNcY7hRkP2sLdF5aE9u",
  "data-keys": "1:q83vEjRWeJq83vEjRWeJq2u7Zw1pT0sXcVbNmLkJhGc=",
  "sms-token": "kT7wQzR2mXbV9nLcPdGhJ4sF",
  "database-url": "postgres://portal:word@database.internal:5432/portal",
  "audit-database-url": "postgres://portal_audit:word@database.internal:5432/portal",
  "backup-database-url": "postgres://portal_backup:word@database.internal:5432/portal",
  "backup-mac-key": "1:SrRQ8A1bKfyDtnKSVSBupV5onuC0U466OB2UU6Yl0Z4=",
  "migration-database-url": "postgres://portal_owner:word@database.internal:5432/portal",
};

/** The only files in /run/secrets of each pod: the owner's address is given to no pod that runs on. */
const SECRETS_OF_PODS: Readonly<Record<string, readonly string[]>> = {
  "Deployment/portal": ["data-keys", "database-url", "session-secret", "sms-token"],
  "Job/migrate": ["database-url", "migration-database-url"],
  "Deployment/audit": ["audit-database-url", "data-keys"],
  "CronJob/purge": ["data-keys", "database-url", "migration-database-url"],
  "CronJob/backup": ["backup-database-url", "backup-mac-key"],
};

/** The files that a pod finds in /run/secrets. */
const secretFiles = ({ spec }: Pod) =>
  (spec.volumes ?? []).flatMap(({ projected }) =>
    (projected?.sources ?? []).flatMap(({ secret }) =>
      (secret?.items?.map(({ key }) => key) ?? SECRETS.get(secret?.name ?? "") ?? []).map((key) => ({
        secret: secret?.name ?? "",
        key,
      })),
    ),
  );

/** The variables of a container, as its program finds them. */
function variablesOf({
  envFrom = [],
  env = [],
}: (typeof CONTAINERS)[number]["container"]): Readonly<Record<string, string | undefined>> {
  const hasSettings = envFrom.some(({ configMapRef }) => configMapRef?.name === "portal-settings");
  const own = env.map(({ name, value, valueFrom }): [string, string | undefined] => [
    name,
    value ?? SETTINGS[valueFrom?.configMapKeyRef?.key ?? ""],
  ]);
  return { ...(hasSettings ? SETTINGS : {}), ...Object.fromEntries(own) };
}

/** The same with the secrets in place of their files. */
const withSecrets = (variables: ReturnType<typeof variablesOf>): typeof variables =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) =>
      value?.startsWith("/run/secrets/")
        ? [name.replace(/_FILE$/, ""), SECRET_VALUES[value.replace("/run/secrets/", "")]]
        : [name, value],
    ),
  );

describe.each(
  CONTAINERS.filter(({ container }) => container.name !== "nginx").map(
    ({ pod, container }) => [pod.owner, { pod, container }] as const,
  ),
)("%s", (_, { pod, container }) => {
  const variables = variablesOf(container);

  it("has only variables that the portal knows, and secrets only in files", () => {
    for (const name of Object.keys(variables)) {
      expect(isSecret(name), name).toBe(false);
      const isKnown = isVariable(name) || isSecret(name.replace(/_FILE$/, ""));
      expect(isKnown, name).toBe(true);
    }
  });

  it("finds each secret's file in a Secret, and is given no other", () => {
    const files = Object.entries(variables).filter(([name]) => isSecret(name.replace(/_FILE$/, "")));
    const mounted = secretFiles(pod);
    expect(files.map(([, path]) => path).toSorted()).toEqual(
      mounted.map(({ key }) => `/run/secrets/${key}`).toSorted(),
    );
    for (const { secret, key } of mounted) expect(SECRETS.get(secret), secret).toContain(key);
    expect(container.volumeMounts).toContainEqual({
      name: "secrets",
      mountPath: "/run/secrets",
      readOnly: true,
    });
  });

  // Whether commands start with theirs: tests/unit/deployment/jobs.test.ts.
  it.runIf(pod.owner === "Deployment/portal")("starts in production mode with these settings", () => {
    const image = { HOST: "0.0.0.0", PORT: "3000", DATA_DIR: "/data" };
    const reading = readEnvironment({ ...image, ...withSecrets(variables) });
    expect(reading.ok ? reading.environment.PORTAL_MODE : reading.problems).toBe("production");
  });

  it("can write where it writes", () => {
    const mounts = new Map(
      container.volumeMounts?.map(({ mountPath, readOnly }) => [mountPath, readOnly !== true]),
    );
    expect(mounts.get("/data")).toBe(true);
    if (pod.labels["app"] === "purge") expect(mounts.get(variables["AUDIT_ARCHIVE_DIR"] ?? "")).toBe(true);
    if (variables["BACKUP_DIR"]) expect(mounts.get(variables["BACKUP_DIR"])).toBe(true);
  });
});

describe("the manifests and the product", () => {
  it.each(Object.entries(SECRETS_OF_PODS))("%s is given %j, and no other secret", (owner, secrets) => {
    const pods = CONTAINERS.filter(({ pod }) => pod.owner === owner);
    expect(
      pods.map(({ pod }) =>
        secretFiles(pod)
          .map(({ key }) => key)
          .toSorted(),
      ),
    ).toEqual([secrets]);
    // A purge goes by the portals' limits.
    if (owner !== "CronJob/purge" && owner !== "Deployment/portal")
      expect(pods[0]?.container.envFrom).toBeUndefined();
  });

  it("docs/operations/kubernetes.md makes every Secret with all its keys", () => {
    const made = [...GUIDE.matchAll(/create secret generic (\S+)([^]*?)\n(?! {6})/g)].map(
      ([, name = "", keys = ""]) => [name, [...keys.matchAll(/--from-file=(\S+)/g)].map(([, key]) => key)],
    );
    expect(Object.fromEntries(made)).toEqual(Object.fromEntries(SECRETS));
  });

  it("the ports are those that the portal listens on, and Prometheus knows it by the alarms' name", () => {
    const { ports } = containerOf(podOf("portal"));
    const dockerfile = readFileSync(inRepository("deploy/Dockerfile"), "utf8");
    expect(ports).toEqual([
      { name: "http", containerPort: Number(/ PORT=(\d+)/.exec(dockerfile)?.[1]) },
      { name: "metrics", containerPort: Number(SETTINGS["METRICS_PORT"]) },
    ]);
    expect(read("optional/podmonitor.yaml")).toContain("- port: metrics\n");
    // The alarms expect the job "portal".
    expect(read("optional/podmonitor.yaml")).toContain("jobLabel: app\n");
  });

  it("[S103] Kubernetes waits longer than a portal needs to stop, and the portal longer than nginx", () => {
    const noticeMs = Number(SETTINGS["LIMIT_STOP_NOTICE_MS"]);
    const grace = podOf("portal").spec.terminationGracePeriodSeconds ?? 0;
    expect(grace * 1000).toBeGreaterThan(noticeMs + LIMITS.STOP_DIVERT_MS + LIMITS.STOP_MS);
    const servers = containerOf(podOf("nginx")).env?.find(({ name }) => name === "PORTAL_SERVERS")?.value;
    const ownSeconds = Number(/ valid=(\d+)s;/.exec(servers ?? "")?.[1]);
    const dnsSeconds = 30;
    expect(noticeMs).toBeGreaterThan((dnsSeconds + ownSeconds) * 1000);
  });

  it("all pods together open fewer connections than PostgreSQL allows by default", () => {
    const most = ofKind(HorizontalPodAutoscaler.is)[0]?.spec?.maxReplicas ?? Infinity;
    const [surge, jobs, maxConnections, reserved] = [1, 10, 100, 3];
    expect((most + surge) * Number(SETTINGS["DATABASE_POOL"]) + jobs).toBeLessThanOrEqual(
      maxConnections - reserved,
    );
  });
});
