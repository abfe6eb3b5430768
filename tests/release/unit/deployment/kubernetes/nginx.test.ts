import { readFileSync, readdirSync } from "node:fs";
import { Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { inRepository } from "../../../../unit/house/repository";
import { SETTINGS, containerOf, kustomizationOf, ofKind, podOf } from "./manifests";

const read = (path: string) => readFileSync(inRepository(`deploy/${path}`), "utf8");
const TEMPLATE = read("nginx/portal.conf.template");

describe("nginx in the cluster", () => {
  const pod = podOf("nginx");
  const container = containerOf(pod);
  const variables = new Map(container.env?.map((variable) => [variable.name, variable]));
  const value = (name: string) => variables.get(name)?.value ?? "";
  const service = (name: string) => ofKind(Service.is).find(({ metadata }) => metadata?.name === name)?.spec;

  it("fills in every name of the template, and leaves nginx's own variables alone", () => {
    const names = new Set([...TEMPLATE.matchAll(/\$\{([A-Z0-9_]+)\}/g)].map(([, name = ""]) => name));
    expect([...variables.keys()].toSorted()).toEqual([...names, "NGINX_ENVSUBST_FILTER"].toSorted());
    const filter = new RegExp(value("NGINX_ENVSUBST_FILTER"));
    for (const name of names) expect(name).toMatch(filter);
    for (const key of ["PUBLIC_ORIGIN", "BRAND_PHONES"])
      expect(variables.get(key)?.valueFrom?.configMapKeyRef).toEqual({ name: "portal-settings", key });
    expect(SETTINGS["PUBLIC_ORIGIN"]).toMatch(/^https:/);
    expect(SETTINGS["BRAND_PHONES"]).toMatch(/^[\d ]+, [\d ]+$/);
  });

  it("forwards to every pod that is ready, which needs nginx 1.28 and the pods' own addresses", () => {
    const { namespace } = kustomizationOf("base");
    expect(value("PORTAL_SERVERS")).toContain(
      `server portal.${namespace ?? ""}.svc.cluster.local:3000 resolve max_fails=1 fail_timeout=5s;`,
    );
    const portal = service("portal");
    expect(portal?.clusterIP).toBe("None");
    expect(portal?.ports?.[0]?.port).toBe(3000);
    // Pods that aren't ready, like portals on outdated tables, get no customers.
    expect(portal?.publishNotReadyAddresses).toBeUndefined();
    const [, major, minor] = /nginx:(\d+)\.(\d+)/.exec(container.image ?? "") ?? [];
    expect([Number(major), Number(minor) >= 28]).toEqual([1, true]);
  });

  it("[S60] sees each customer's own address, and the portals take it from the cluster's pods", () => {
    expect(service("nginx")).toMatchObject({ type: "LoadBalancer", externalTrafficPolicy: "Local" });
    expect(SETTINGS["TRUSTED_PROXIES"]).toMatch(/^[\d.]+\/\d+$/);
  });

  it("finds the template, all pages and the certificate, and can write where it has to", () => {
    const mounts = new Map(container.volumeMounts?.map((mount) => [mount.mountPath, mount]));
    const { configMapGenerator } = parse(read("nginx/kustomization.yaml")) as Record<string, unknown>;
    const pages = readdirSync(inRepository("deploy/nginx/pages/_nginx")).map(
      (name) => `pages/_nginx/${name}`,
    );
    expect(configMapGenerator).toEqual([
      { name: "nginx-template", files: ["portal.conf.template"] },
      { name: "nginx-pages", files: pages.toSorted() },
    ]);
    expect(mounts.get("/etc/nginx/templates")?.name).toBe("template");
    expect(mounts.get(`${value("PAGES_FOLDER")}/_nginx`)?.name).toBe("pages");
    for (const name of ["TLS_CERTIFICATE", "TLS_KEY"])
      expect(mounts.get(value(name).replace(/\/tls\.(crt|key)$/, ""))?.name).toBe("certificate");
    expect(pod.spec.volumes?.find(({ name }) => name === "certificate")?.secret?.secretName).toBe(
      "portal-tls",
    );
    for (const folder of ["/etc/nginx/conf.d", "/var/cache/nginx", "/run", "/tmp"])
      expect(mounts.get(folder)?.readOnly, folder).toBeUndefined();
    expect(value("CACHE_FOLDER")).toMatch(/^\/var\/cache\/nginx\//);
    const cacheMb = Number(/max_size=(\d+)m/.exec(TEMPLATE)?.[1]);
    const sizeLimit = pod.spec.volumes?.find(({ name }) => name === "cache")?.emptyDir?.sizeLimit;
    expect(Number.parseInt(String(sizeLimit), 10)).toBeGreaterThan(cacheMb);
  });
});
