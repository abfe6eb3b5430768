import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

it.each([
  ["https://portal.example", "portal.example"],
  ["https://portal.example:8443", "portal.example:8443"],
  ["", "127.0.0.1:3000"],
])(
  "[S59] with PUBLIC_ORIGIN=%s customers are told to look for %s, whatever X-Forwarded-Host says",
  async (origin, host) => {
    vi.resetModules();
    vi.stubEnv("PUBLIC_ORIGIN", origin);
    const { publicHost } = await import("~/journeys/sign-in/public-host.server");
    const request = new Request("http://127.0.0.1:3000/home", {
      headers: { "X-Forwarded-Host": "evil.example" },
    });
    expect(publicHost(request)).toBe(host);
  },
);
