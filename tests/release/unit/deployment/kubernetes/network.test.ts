import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { describe, expect, it } from "vitest";
import { PODS, containerOf, ofKind, podOf } from "./manifests";

type Policy = NonNullable<NetworkPolicy["spec"]>;
type Egress = NonNullable<Policy["egress"]>[number];

const POLICIES = ofKind(NetworkPolicy.is).flatMap(({ spec }) => spec ?? []);
const APPS = PODS.map(({ labels }) => labels["app"] ?? "").toSorted();

function concerns({ podSelector }: Policy, app: string): boolean {
  const { matchLabels, matchExpressions = [] } = podSelector;
  return (
    (matchLabels?.["app"] ?? app) === app &&
    matchExpressions.every(({ key, operator, values }) => {
      expect([key, operator]).toEqual(["app", "In"]);
      return values?.includes(app);
    })
  );
}

/** Each peer of a rule with each of its ports; "anyone" and "any port" if it names none. */
function lines(peers: Egress["to"], ports: Egress["ports"]): string[] {
  const names = peers?.map(({ ipBlock, namespaceSelector, podSelector }) =>
    ipBlock
      ? ipBlock.cidr
      : [namespaceSelector, podSelector]
          .flatMap((selector) => Object.values(selector?.matchLabels ?? {}))
          .join("/"),
  ) ?? ["anyone"];
  const numbers = ports?.map(({ port, protocol }) => `${port ?? "any port"}/${protocol ?? ""}`) ?? [
    "any port",
  ];
  return names.flatMap((name) => numbers.map((number) => `${name} ${number}`));
}

/** The peers that the pods of an app may call. */
const calls = (app: string) =>
  POLICIES.filter((policy) => concerns(policy, app)).flatMap(({ egress = [] }) =>
    egress.flatMap(({ to, ports }) => lines(to, ports)),
  );
/** The peers that may call the pods of an app. */
const callers = (app: string) =>
  POLICIES.filter((policy) => concerns(policy, app)).flatMap(({ ingress = [] }) =>
    ingress.flatMap(({ from, ports }) => lines(from, ports)),
  );

const DNS = ["kube-system/kube-dns 53/UDP", "kube-system/kube-dns 53/TCP"];
const DATABASE = "192.0.2.10/32 5432/TCP";

describe("the network", () => {
  it("is closed to every pod, unless a policy opens it", () => {
    const closed = POLICIES.filter(({ podSelector }) => Object.keys(podSelector).length === 0);
    expect(closed[0]).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] });
    // Rules for a direction that the policy does not name would have no effect.
    for (const { policyTypes, ingress, egress } of POLICIES)
      for (const [type, rules] of [
        ["Ingress", ingress],
        ["Egress", egress],
      ] as const)
        if (rules) expect(policyTypes).toContain(type);
  });

  it("lets each pod call what it needs, and nothing else", () => {
    expect(Object.fromEntries(APPS.map((app) => [app, calls(app)]))).toEqual({
      audit: [...DNS, DATABASE],
      backup: [...DNS, DATABASE],
      migrate: [...DNS, DATABASE],
      nginx: [...DNS, "portal 3000/TCP"],
      portal: [...DNS, DATABASE, "0.0.0.0/0 443/TCP", "::/0 443/TCP"],
      purge: [...DNS, DATABASE],
    });
  });

  it("lets customers reach nginx, nginx the portals, and Prometheus their metrics", () => {
    const none: string[] = [];
    expect(Object.fromEntries(APPS.map((app) => [app, callers(app)]))).toEqual({
      audit: none,
      backup: none,
      migrate: none,
      nginx: ["anyone 8080/TCP", "anyone 8443/TCP"],
      portal: ["nginx 3000/TCP", "monitoring/prometheus 9464/TCP"],
      purge: none,
    });
    for (const app of ["nginx", "portal"]) {
      const open = callers(app).map((line) => Number(/(\d+)\/TCP$/.exec(line)?.[1]));
      expect(open).toEqual(containerOf(podOf(app)).ports?.map(({ containerPort }) => containerPort));
    }
  });

  it("keeps the portals out of private networks on their way to the SMS gateway", () => {
    const blocks = POLICIES.filter((policy) => concerns(policy, "portal"))
      .flatMap(({ egress = [] }) => egress.flatMap(({ to = [] }) => to))
      .flatMap(({ ipBlock }) => ipBlock?.except ?? []);
    // The last two are addresses where clouds hand out credentials.
    for (const block of [
      "10.0.0.0/8",
      "172.16.0.0/12",
      "192.168.0.0/16",
      "fc00::/7",
      "169.254.0.0/16",
      "fe80::/10",
    ])
      expect(blocks).toContain(block);
  });
});
