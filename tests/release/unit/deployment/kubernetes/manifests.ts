import { readdirSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { Deployment } from "kubernetes-models/apps/v1";
import { CronJob, Job } from "kubernetes-models/batch/v1";
import type { IPodTemplateSpec } from "kubernetes-models/v1";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import { inRepository } from "../../../../unit/house/repository";

const FOLDER = inRepository("deploy/kubernetes/");

/** The text of a file below deploy/kubernetes. */
export const read = (path: string) => readFileSync(`${FOLDER}${path}`, "utf8");

/** An object of a file, as Kubernetes reads it. */
export interface Manifest {
  readonly file: string;
  readonly kind: string;
  readonly name: string;
  readonly object: unknown;
}

const object = z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) });

/** The objects in a text of one or more documents. Kubernetes reads YAML 1.1: 0440 is octal, `on` is true. */
export function manifestsIn(text: string, file: string): readonly Manifest[] {
  return parseAllDocuments(text, { version: "1.1", strict: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${String(document.errors[0])}`);
    const content: unknown = document.toJS();
    const { kind, metadata } = object.parse(content);
    return { file, kind, name: metadata.name, object: content };
  });
}

/** The objects of one folder, without its kustomization. */
export const manifestsOf = (folder: string): readonly Manifest[] =>
  readdirSync(FOLDER + folder)
    .filter((name) => name.endsWith(".yaml") && name !== "kustomization.yaml")
    .flatMap((name) => manifestsIn(read(`${folder}/${name}`), `${folder}/${name}`));

/** Every object that is applied. */
export const BASE = manifestsOf("base");

/** The applied objects of one kind. */
export const ofKind = <Kind>(is: (value: unknown) => value is Kind): readonly Kind[] =>
  BASE.map(({ object }) => object).filter(is);

const kustomization = z.object({
  namespace: z.string().optional(),
  resources: z.array(z.string()).optional(),
  images: z.array(z.object({ name: z.string(), newName: z.string(), newTag: z.string() })).optional(),
  configMapGenerator: z.array(
    z.object({
      name: z.string(),
      files: z.array(z.string()).optional(),
      envs: z.array(z.string()).optional(),
      literals: z.array(z.string()).optional(),
    }),
  ),
});

/** A folder's kustomization. */
export const kustomizationOf = (folder: string) =>
  kustomization.parse(parse(read(`${folder}/kustomization.yaml`), { version: "1.1" }));

/** The portals' settings: those of the base and those that the example adds. */
export const SETTINGS: Readonly<Record<string, string | undefined>> = parseEnv(
  [
    read("base/portal.env"),
    ...kustomizationOf("example").configMapGenerator.flatMap(({ literals = [] }) => literals),
  ].join("\n"),
);

/** A pod, and the object that makes it. */
export interface Pod {
  readonly owner: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: NonNullable<IPodTemplateSpec["spec"]>;
}

/** Every pod that the objects make. */
export const PODS: readonly Pod[] = BASE.flatMap(({ kind, name, object }) => {
  const template = templateOf(object);
  if (!template?.spec) return [];
  return [{ owner: `${kind}/${name}`, labels: template.metadata?.labels ?? {}, spec: template.spec }];
});

function templateOf(made: unknown): IPodTemplateSpec | undefined {
  if (CronJob.is(made)) return made.spec?.jobTemplate.spec?.template;
  return Deployment.is(made) || Job.is(made) ? made.spec?.template : undefined;
}

/** Each container with its pod. */
export const CONTAINERS = PODS.flatMap((pod) => pod.spec.containers.map((container) => ({ pod, container })));

/** The pod of this label `app`. @throws Error if there is none */
export function podOf(app: string): Pod {
  const found = PODS.find(({ labels }) => labels["app"] === app);
  if (!found) throw new Error(`No pod is labelled ${app}`);
  return found;
}

/** The only container of this pod. @throws Error if there is none */
export function containerOf({ spec, owner }: Pod): (typeof CONTAINERS)[number]["container"] {
  const [container] = spec.containers;
  if (!container) throw new Error(`${owner} has no container`);
  return container;
}
