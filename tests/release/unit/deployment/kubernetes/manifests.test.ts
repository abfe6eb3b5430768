import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { PersistentVolumeClaim, Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { BASE, PODS, kustomizationOf, manifestsIn, ofKind, read } from "./manifests";
import { schemaProblems } from "./schema";

describe("the manifests for Kubernetes", () => {
  it.each(BASE)("$file: $kind $name meets the published schema", ({ object }) => {
    expect(schemaProblems(object)).toEqual([]);
  });

  it.each([
    ["an unknown field, however deep", "readOnlyRootFilesystem:", "readOnlyRootFileSystem:"],
    ["text instead of a number", "periodSeconds: 2\n", 'periodSeconds: "2"\n'],
    ["a missing field", "kind: Deployment, name: portal }", "kind: Deployment }"],
  ])("the check finds %s", (_, right, wrong) => {
    const text = read("base/portal.yaml");
    const problems = (yaml: string) => manifestsIn(yaml, "").flatMap(({ object }) => schemaProblems(object));
    expect(text).toContain(right);
    expect(problems(text)).toEqual([]);
    expect(problems(text.replace(right, wrong))).not.toEqual([]);
  });

  it("every file is applied, and no two objects of a kind share a name", () => {
    const { resources = [] } = kustomizationOf("base");
    const files = new Set(BASE.map(({ file }) => file.replace("base/", "")));
    expect(resources.toSorted()).toEqual(["../../nginx", ...files].toSorted());
    expect(new Set(BASE.map(({ kind, name }) => `${kind}/${name}`)).size).toBe(BASE.length);
  });

  const ownersOf = (wanted: Readonly<Record<string, string>> = {}) =>
    PODS.filter(({ labels }) => Object.entries(wanted).every(([name, value]) => labels[name] === value)).map(
      ({ owner }) => owner,
    );

  it("each selector finds the pods of one deployment", () => {
    for (const { metadata, spec } of ofKind(Deployment.is)) {
      const owner = `Deployment/${metadata?.name ?? ""}`;
      expect(ownersOf(spec?.selector.matchLabels)).toEqual([owner]);
      for (const { labelSelector } of spec?.template.spec?.topologySpreadConstraints ?? [])
        expect(ownersOf(labelSelector?.matchLabels)).toEqual([owner]);
    }
    for (const { metadata, spec } of ofKind(Service.is))
      expect(ownersOf(spec?.selector)).toEqual([`Deployment/${metadata?.name ?? ""}`]);
    for (const { metadata, spec } of ofKind(PodDisruptionBudget.is))
      expect(ownersOf(spec?.selector?.matchLabels)).toEqual([`Deployment/${metadata?.name ?? ""}`]);
  });

  it("a service leads to ports that its pods have", () => {
    for (const { spec } of ofKind(Service.is)) {
      const [owner] = ownersOf(spec?.selector);
      const pod = PODS.find((one) => one.owner === owner);
      const names = pod?.spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));
      for (const { targetPort } of spec?.ports ?? []) expect(names).toContain(targetPort);
    }
  });

  it("each mount has a volume, each volume is mounted, and each claim is made", () => {
    const claims = ofKind(PersistentVolumeClaim.is).map(({ metadata }) => metadata?.name);
    const claimed = PODS.flatMap(({ spec }) =>
      (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
    );
    expect([...new Set(claimed)].toSorted()).toEqual(claims.toSorted());
    for (const { owner, spec } of PODS) {
      const mounted = spec.containers.flatMap(({ volumeMounts = [] }) =>
        volumeMounts.map(({ name }) => name),
      );
      expect(mounted.toSorted(), owner).toEqual((spec.volumes ?? []).map(({ name }) => name).toSorted());
    }
  });

  it("two pods serve customers, even during a rollout, and draining nodes takes one at a time", () => {
    const served = ["portal", "nginx"];
    const [scaler] = ofKind(HorizontalPodAutoscaler.is);
    expect(scaler?.spec?.scaleTargetRef).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      name: "portal",
    });
    const budgets = ofKind(PodDisruptionBudget.is);
    expect(budgets.map(({ metadata }) => metadata?.name).toSorted()).toEqual(served.toSorted());
    expect(budgets.map(({ spec }) => spec?.maxUnavailable)).toEqual([1, 1]);
    for (const { metadata, spec } of ofKind(Deployment.is).filter(({ metadata }) =>
      served.includes(metadata?.name ?? ""),
    )) {
      const scaled = scaler?.spec?.scaleTargetRef.name === metadata?.name;
      // Otherwise each apply would undo what the autoscaler has done.
      if (scaled) expect(spec?.replicas).toBeUndefined();
      expect(scaled ? scaler?.spec?.minReplicas : spec?.replicas).toBeGreaterThanOrEqual(2);
      expect(spec?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    }
  });
});
