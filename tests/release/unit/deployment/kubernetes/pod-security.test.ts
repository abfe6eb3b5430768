import { readFileSync } from "node:fs";
import { Namespace } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { inRepository } from "../../../../unit/house/repository";
import { CONTAINERS, PODS, containerOf, kustomizationOf, ofKind, podOf } from "./manifests";

const readRoot = (path: string) => readFileSync(inRepository(path), "utf8");
const OUR_IMAGE = "policyholder-portal";
/** The kinds of volumes that the pod security standard "restricted" allows. */
const VOLUMES = ["configMap", "emptyDir", "persistentVolumeClaim", "projected", "secret"];

describe("the pods", () => {
  const pods = PODS.map((pod) => [pod.owner, pod] as const);
  const containers = CONTAINERS.map(({ pod, container }) => [pod.owner, container] as const);

  it("live in a namespace that refuses any pod that isn't restricted", () => {
    const [namespace] = ofKind(Namespace.is);
    expect(namespace?.metadata?.labels).toMatchObject({ "pod-security.kubernetes.io/enforce": "restricted" });
    expect(kustomizationOf("base").namespace).toBe(namespace?.metadata?.name);
    expect(kustomizationOf("example").namespace).toBe(namespace?.metadata?.name);
  });

  it.each(pods)("%s: runs as a user without rights, and without the cluster's credentials", (_, { spec }) => {
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.enableServiceLinks).toBe(false);
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(spec.securityContext?.runAsUser).toBeGreaterThan(0);
    // The pod's group alone can read its secrets.
    expect(spec.securityContext?.fsGroup).toBe(spec.securityContext?.runAsGroup);
    expect([spec.hostNetwork, spec.hostPID, spec.hostIPC, spec.initContainers]).toEqual(
      Array(4).fill(undefined),
    );
    for (const { name, ...volume } of spec.volumes ?? []) {
      expect(VOLUMES, name).toContain(Object.keys(volume)[0]);
      if (volume.emptyDir) expect(volume.emptyDir.sizeLimit, name).toMatch(/^\d+Mi$/);
      if (volume.secret) expect(volume.secret.defaultMode).toBe(0o440);
      if (volume.projected) expect(volume.projected.defaultMode).toBe(0o440);
    }
  });

  it.each(containers)(
    "%s: has limits and a root that it can't write to",
    (_, { resources, ...container }) => {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      for (const name of ["cpu", "memory"]) {
        expect(resources?.limits?.[name], name).toBeDefined();
        expect(resources?.requests?.[name], name).toBeDefined();
      }
    },
  );

  it("all run one image of ours, except nginx, which runs the same as in compose", () => {
    const nginx = containerOf(podOf("nginx"));
    expect(readRoot("deploy/compose.yaml")).toContain(`image: ${nginx.image ?? ""}\n`);
    for (const { container } of CONTAINERS.filter(({ container: { name } }) => name !== "nginx"))
      expect(container.image).toBe(OUR_IMAGE);
    expect(kustomizationOf("example").images?.map(({ name }) => name)).toEqual([OUR_IMAGE]);
    expect(readRoot("deploy/compose.yaml")).toContain(`image: ${OUR_IMAGE}:\${PORTAL_RELEASE:-latest}\n`);
  });

  it("run as our image's user if they use it, and each command exists", () => {
    const commands = readRoot("docs/operations/commands.md");
    for (const { pod, container } of CONTAINERS.filter(({ container: { image } }) => image === OUR_IMAGE)) {
      // The image's user "node".
      expect(pod.spec.securityContext?.runAsUser).toBe(1000);
      // Without a command, the image serves.
      if (pod.owner === "Deployment/portal") expect(container.command).toBeUndefined();
      else expect(commands).toContain(`### portal ${container.command?.[2] ?? "?"}\n`);
    }
  });
});
