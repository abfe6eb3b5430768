import { ok, problem, type Check } from "./check.server";

/** Whether production knows the proxy in front of it, without which all customers share one address (S125). */
export const proxies: Check = {
  name: "proxies",
  needs: [],
  run: ({ settings: { PORTAL_MODE, TRUSTED_PROXIES } }) =>
    Promise.resolve(
      PORTAL_MODE === "production" && TRUSTED_PROXIES.length === 0
        ? problem(
            "the portal speaks http and PUBLIC_ORIGIN is https, so a proxy is in front: name it in TRUSTED_PROXIES, or all customers count as one and are locked out together",
          )
        : ok(TRUSTED_PROXIES.length === 0 ? "none, as in a demo" : `trusted: ${TRUSTED_PROXIES.join(", ")}`),
    ),
};
