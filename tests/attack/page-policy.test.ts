import { expect, test } from "vitest";
import { startPortal } from "../portal";
import { Visitor } from "../visitor";

test("[S51] every page has its own nonce and no script without it", async () => {
  const portal = await startPortal();
  const visitor = new Visitor(portal);
  await visitor.accept();
  const nonces = new Set<string>();
  for (let page = 0; page < 20; page += 1) {
    const { body, header } = await visitor.get("/home");
    const nonce = /'nonce-([^']+)'/.exec(header("Content-Security-Policy") ?? "")?.[1] ?? "";
    nonces.add(nonce);
    const scripts = [...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(body).not.toMatch(/ style="| on\w+="|javascript:/);
  }
  expect(nonces.size).toBe(20);
  await portal.stop();
});
