import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { list, origin, wholeNumber } from "./variable-values.server";

const HOST = /^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/i;
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;

const listenOn = z
  .string()
  .refine((text) => isIP(text) !== 0 || HOST_NAME.test(text), "an address to listen on");

/** The mode, where the portal listens, and which proxies it trusts. */
export const portalVariables = {
  PORTAL_MODE: z.enum(["demo", "production"], "demo or production").default("demo").meta({
    description:
      "`demo` has invented customers, generated keys, and an outbox for text messages that anyone can read. `production` has none of these.",
  }),
  HOST: listenOn.default("127.0.0.1").meta({ description: "The address to listen on." }),
  PORT: wholeNumber(1, 65_535).default(3000).meta({ description: "The port to listen on, 1 to 65535." }),
  METRICS_PORT: wholeNumber(1, 65_535).optional().meta({
    description:
      "A port for operators, 1 to 65535, that serves `/metrics` in Prometheus format and nothing else. Without it there are no metrics.",
  }),
  METRICS_HOST: listenOn.default("127.0.0.1").meta({
    description:
      "The address `METRICS_PORT` listens on. It asks for no credentials: keep it to this machine or to an operators' network.",
  }),
  DATA_DIR: z.string().default(".data").meta({
    description:
      "The folder for the embedded backend's database and lock, and in the demo its keys. It is created at the first start, readable by its owner only. A folder that holds another program's database is refused.",
  }),
  PUBLIC_ORIGIN: origin("https://portal.example").optional().meta({
    description:
      "The origin customers see, such as `https://portal.example`, without a path; in production it must be https. It decides cookie names and flags, where forms may come from, which Host is served, and which host text messages name. Set it behind a TLS proxy: without it the portal assumes http, and refuses forms sent from https.",
    needed: "in production",
  }),
  BACKEND_URL: origin("https://backend.example").optional().meta({
    description:
      "The origin of the insurer's own backend (the attached backend), http or https, without a path. The portal then sends its calls there instead of running the embedded backend: it opens no database, and `/home/api`, `/cp/api` and `/demo` are 404.",
  }),
  ANNOUNCEMENT_FILE: z.string().optional().meta({
    description:
      "With `BACKEND_URL`: a JSON file with what every page says above its content, and until when: `text` (in Polish), `textEn`, `until`; and with `maintenanceUntil`, until when the portal is closed to customers. A moment is written `2026-11-27T06:00`, in Polish time. The file is read every few seconds, and may be missing. Portals with a database have `portal announce` and `portal maintenance` instead.",
  }),
  HTTPS_PROXY: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      "the address of a forward proxy, such as http://proxy.insurer.example:3128",
    )
    .optional()
    .meta({
      description:
        "The forward proxy through which the SMS gateways and the staff's sign-on are asked, with a name and a password if it needs them. Only their https addresses go that way; `BACKEND_URL`, the database and mail never do. `https_proxy` and `HTTP_PROXY` are not read.",
      secret: true,
    }),
  NO_PROXY: z.string().default("").meta({
    description:
      "Hosts that are asked without `HTTPS_PROXY`, separated by commas, each with the hosts below it: `insurer.example`, `10.0.0.7:8443`. `*` is every host.",
  }),
  BACKEND_HOSTS: list
    .pipe(z.array(z.string().regex(HOST, "hosts, separated by commas")))
    .default([])
    .meta({
      description:
        "Other hosts, with or without a port, under which the API may be called besides the public one. Separated by commas.",
    }),
  TRUSTED_PROXIES: list
    .pipe(
      z.array(
        z
          .string()
          .refine(isNetwork, "addresses or CIDR blocks, separated by commas")
          .refine(isNarrow, "no block wider than /8 (IPv6: /16)"),
      ),
    )
    .default([])
    .meta({
      description:
        "The addresses of the proxies in front, or CIDR blocks (at most a /8, of IPv6 a /16), separated by commas. `X-Forwarded-For` and `X-Request-Id` are trusted from these addresses only. A trusted proxy must overwrite both, whatever a client sends. Behind a proxy that is not named here all customers count as one, and are locked out together.",
    }),
  FACTORS: list
    .pipe(z.array(z.enum(["app", "passkey"], "app, passkey or nothing, separated by commas")))
    .default(["app", "passkey"])
    .meta({
      description:
        "The second factors that customers may add, separated by commas: `app` is an authenticator app, `passkey` a passkey. Set but empty, none can be added; those that there are go on working. An attached backend decides this itself.",
    }),
  PASSKEY_RP_ID: z
    .string()
    .refine(
      (text) => HOST_NAME.test(text) && text === text.toLowerCase() && isIP(text) === 0,
      "a host name such as portal.example",
    )
    .optional()
    .meta({
      description:
        "The host name that passkeys belong to (their relying party id): the host of `PUBLIC_ORIGIN`, which is the default, or a domain above it. With another one no passkeys are offered, and `portal doctor` says so. All passkeys stop working when it changes. Without `PUBLIC_ORIGIN` passkeys work on `http://localhost` only. An attached backend decides this itself.",
    }),
  TRUSTED_DEVICES: z.enum(["on", "off"], "on or off").default("on").meta({
    description:
      "Whether customers may trust a device, which then stands in for the second factor for 30 days ([why it may](decisions/trusted-devices.md)). With `off` no page offers it, every sign-in asks for a second factor, and the trust in all devices ends when a portal starts. Every portal of a database needs the same. An attached backend decides this itself: the portal then asks it for no trust.",
  }),
  PASSKEY_SIGN_IN: z.enum(["on", "off"], "on or off").default("on").meta({
    description:
      "Whether a passkey also signs in without username and password. With `off` it only confirms a sign-in, and no page offers more. An attached backend decides this itself, too: one that doesn't offer it answers 404.",
  }),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"], "trace, debug, info, warn, error or silent")
    .default("info")
    .meta({ description: "`trace`, `debug`, `info`, `warn`, `error` or `silent`." }),
  SUDO_USER: z.string().optional().meta({
    description:
      "Set by `sudo`: who runs an operators' command. The audit names this operator, and `--operator` may not name another one.",
  }),
  PORTAL_OPERATOR_FROM: z.enum(["sudo", "option"], "sudo or option").default("sudo").meta({
    description:
      "For commands run by `sudo`: `option` lets `--operator` name somebody else, as behind a wrapper that knows its users. It counts only in a file that belongs to root, that only root can read, and that the command gets by `--env-file`.",
  }),
  NOTIFY_SOCKET: z.string().regex(/^[/@]/, "a path, or a name that begins with @").optional().meta({
    description:
      "Set by systemd for a unit with `Type=notify`: where the portal reports that it serves, stops, and is alive. It runs `systemd-notify` for that.",
  }),
  WATCHDOG_USEC: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional().meta({
    description:
      "Set by systemd for a unit with `WatchdogSec`, in microseconds: a portal that reports nothing for that long is ended and started again.",
  }),
};

/** An IP address, or a CIDR block whose prefix fits IPv4 or IPv6. */
function isNetwork(entry: string): boolean {
  const [address = "", prefix = "0", ...more] = entry.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest && more.length === 0;
}

const WIDEST_OF_IPV6 = 16;

/**
 * Whether a block is small enough to be one organisation's network: half of the world must not be trusted to name the
 * client's address. An IPv6 block can hold IPv4 addresses, too.
 */
function isNarrow(entry: string): boolean {
  const [address = "", bits] = entry.split("/");
  // Zod calls this for entries that it has already refused, too.
  if (!isNetwork(entry) || bits === undefined) return true;
  const isIPv6 = isIP(address) === 6;
  const block = new BlockList();
  block.addSubnet(address, Number(bits), isIPv6 ? "ipv6" : "ipv4");
  const slash8s = Array.from({ length: 256 }, (_, first) => `${first}.0.0.0`);
  return (
    !(isIPv6 && Number(bits) < WIDEST_OF_IPV6) && slash8s.filter((start) => block.check(start)).length <= 1
  );
}
