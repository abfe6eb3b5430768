import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { canTestWith } from "../../../../installed";
import { inRepository } from "../../../../unit/house/repository";
import { BASE, kustomizationOf, manifestsIn, type Manifest } from "./manifests";
import { schemaProblems } from "./schema";

// kubectl has kustomize built in, and needs no cluster for it.
describe.runIf(canTestWith("kubectl"))("what kubectl applies", () => {
  let text: string;
  let rendered: readonly Manifest[];
  beforeAll(() => {
    const folder = inRepository("deploy/kubernetes/example");
    text = execFileSync("kubectl", ["kustomize", folder], { encoding: "utf8" });
    rendered = manifestsIn(text, "example");
  });

  it("is everything, in the namespace, and meets the published schemas", () => {
    const maps = ["nginx-template", "nginx-pages", "portal-settings"];
    expect(rendered).toHaveLength(BASE.length + maps.length);
    for (const { kind, name, object } of rendered) {
      expect(schemaProblems(object), `${kind} ${name}`).toEqual([]);
      if (kind !== "Namespace") expect(object).toMatchObject({ metadata: { namespace: "portal" } });
    }
  });

  it("has the insurer's image and address of PostgreSQL everywhere", () => {
    const [image] = kustomizationOf("example").images ?? [];
    expect(text).toContain(`image: ${image?.newName ?? ""}:${image?.newTag ?? ""}\n`);
    expect(text).not.toMatch(/image: policyholder-portal/);
    expect(text).not.toContain("192.0.2.");
  });

  it("rolls the pods out again when their settings change: each ConfigMap is named after its content", () => {
    const maps = rendered.filter(({ kind }) => kind === "ConfigMap").map(({ name }) => name);
    const named = rendered.flatMap(({ object }) =>
      [...JSON.stringify(object).matchAll(/"configMap(?:Key)?(?:Ref)?":\{[^}]*"name":"([^"]+)"/g)].map(
        ([, name = ""]) => name,
      ),
    );
    const byHand = ["backup-recipients", "database-ca", "nginx-own-rules"];
    expect([...new Set(named)].toSorted()).toEqual([...byHand, ...maps].toSorted());
    for (const name of maps) expect(name).toMatch(/^[a-z-]+-[a-z0-9]{10}$/);
  });

  it("can be applied up to the migration first: namespace, settings, network and the job", () => {
    const first = rendered.filter(({ object }) =>
      JSON.stringify(object).includes('"labels":{"apply":"first"'),
    );
    expect(first.map(({ kind, name }) => `${kind} ${name.replace(/-\w{10}$/, "")}`).toSorted()).toEqual([
      "ConfigMap portal-settings",
      "Job migrate",
      "Namespace portal",
      "NetworkPolicy database",
      "NetworkPolicy dns",
      "NetworkPolicy nothing",
    ]);
  });
});
