import { isIP } from "node:net";
import { z } from "zod";
import { list, origin, wholeNumber } from "./variable-values.server";

const HOST = /^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/i;
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

const listenOn = z
  .string()
  .refine((text) => isIP(text) !== 0 || HOST_NAME.test(text), "an address to listen on");

/** What the process is, where it listens, and whom it believes. */
export const portalVariables = {
  PORTAL_MODE: z.enum(["demo", "production"], "demo or production").default("demo").meta({
    description:
      "`demo`: invented customers, generated keys, messages go to an outbox that everybody can read. `production`: none of these.",
  }),
  HOST: listenOn.default("127.0.0.1").meta({ description: "The address to listen on." }),
  PORT: wholeNumber(1, 65_535).default(3000).meta({ description: "The port to listen on, 1 to 65535." }),
  METRICS_PORT: wholeNumber(1, 65_535).optional().meta({
    description:
      "A port for operators, 1 to 65535, that answers `/metrics` in Prometheus' form and nothing else. Without it there are no metrics.",
  }),
  METRICS_HOST: listenOn.default("127.0.0.1").meta({
    description:
      "The address that this port listens on. Nobody is asked there who he is: keep it to the machine, or to a network of operators.",
  }),
  DATA_DIR: z.string().default(".data").meta({
    description:
      "The folder of the embedded backend: database, lock, and in the demo the keys. Made at the first start, for its owner only. A folder with a database that the portal didn't make is refused.",
  }),
  PUBLIC_ORIGIN: origin("https://portal.example").optional().meta({
    description:
      "The origin that customers see, such as `https://portal.example`, without a path; https in production. It decides the names and flags of cookies, where forms may come from, which Host is served, and the host that text messages name. Needed behind TLS: without it the portal takes itself for an http site, and refuses the forms that come from https.",
    needed: "in production",
  }),
  BACKEND_URL: origin("https://backend.example").optional().meta({
    description:
      "The origin of a backend of the insurer's own, http or https, without a path. The portal then sends its calls there and opens no backend itself: `DATA_DIR` has no database, and `/home/api`, `/cp/api` and `/demo` are 404.",
  }),
  BACKEND_HOSTS: list
    .pipe(z.array(z.string().regex(HOST, "hosts, separated by commas")))
    .default([])
    .meta({
      description:
        "Hosts, with or without a port, separated by commas, under which the API may be called beside the public one.",
    }),
  TRUSTED_PROXIES: list
    .pipe(z.array(z.string().refine(isNetwork, "addresses or CIDR blocks, separated by commas")))
    .default([])
    .meta({
      description:
        "Addresses and CIDR blocks, separated by commas. From these, `X-Forwarded-For` and `X-Request-Id` are believed; from nobody else.",
    }),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"], "trace, debug, info, warn, error or silent")
    .default("info")
    .meta({ description: "`trace`, `debug`, `info`, `warn`, `error` or `silent`." }),
};

/** An address, or a block whose prefix fits its kind. */
function isNetwork(entry: string): boolean {
  const [address = "", prefix = "0", ...more] = entry.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest && more.length === 0;
}
