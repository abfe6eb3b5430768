import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Deployment } from "kubernetes-models/apps/v1";
import { CronJob, Job } from "kubernetes-models/batch/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Namespace, PersistentVolumeClaim, Service } from "kubernetes-models/v1";

/** The kinds that the manifests use, with the schemas of Kubernetes 1.33. */
const KINDS = [
  ConfigMap,
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
];

/**
 * The problems in an object for which Kubernetes would refuse it: missing fields, wrong types and values, and unknown
 * fields. Its other rules are in the code of the API server and in no schema: selectors that match no label, names that
 * are too long, mounts without a volume.
 */
export function schemaProblems(object: unknown): readonly string[] {
  const kind = KINDS.find(({ is }) => is(object));
  if (!kind) return ["an unknown kind"];
  const unread = new Set<string>();
  try {
    kind.prototype.validate.call(watched(object, "", unread));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return [...unread].map((field) => `${field} is not a known field`);
}

/** The schema's check reads every field that the schema knows, so the unread ones are unknown. */
function watched(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item, at) => watched(item, `${path}/${at}`, unread));
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    watched(field, `${path}/${name}`, unread),
  ]);
  for (const [name] of fields) unread.add(`${path}/${String(name)}`);
  return new Proxy(Object.fromEntries(fields), {
    get(target, name, receiver) {
      unread.delete(`${path}/${String(name)}`);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}
