import { isIP } from "node:net";
import { z } from "zod";
import { certificates, wholeNumber } from "./variable-values.server";

/** The address of PostgreSQL, and the role that connects. */
export interface DatabaseAddress {
  /** A name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const URL_EXAMPLE = "postgres://role:password@host:5432/database, without parameters (TLS: DATABASE_TLS)";
const ROLE = /^[a-z_][a-z0-9_$]{0,62}$/;
const OWN_PORT = 5432;
const MOST_CONNECTIONS = 1000;

/**
 * Parsed here, not by the driver: it has changed the meaning of parameters such as `sslmode` before, and some of them
 * switch off what DATABASE_TLS promises. So a URL may have no parameters except `?host=` with a socket's folder.
 */
const databaseUrl = z.string().transform((text, context): DatabaseAddress => {
  const address = readAddress(text);
  if (address) return address;
  context.addIssue({ code: "custom", message: URL_EXAMPLE });
  return z.NEVER;
});

/** PostgreSQL instead of SQLite. */
export const databaseVariables = {
  DATABASE_URL: databaseUrl.optional().meta({
    description:
      "PostgreSQL, as `postgres://role:password@host:5432/database` without parameters, or for a socket `postgres://role@/database?host=/var/run/postgresql`. Any number of portals may share it. Without it the embedded backend uses a SQLite file in `DATA_DIR`.",
    secret: true,
  }),
  MIGRATION_DATABASE_URL: databaseUrl.optional().meta({
    description:
      "The same database for the role that owns the tables. For commands only: `portal migrate` makes and changes the tables with it, and grants the role in `DATABASE_URL` what it needs. A serving portal has no use for it. Without it the role in `DATABASE_URL` owns the tables.",
    secret: true,
  }),
  AUDIT_DATABASE_ROLE: z.string().regex(ROLE, "the name of a PostgreSQL role").optional().meta({
    description:
      "The PostgreSQL role that seals the audit (`portal seal-audit`, which connects as it): `portal migrate` lets it read events and add seals, and do nothing else. Without it the tables' owner seals: a portal that connects as the owner does so itself.",
  }),
  HELP_DESK_DATABASE_ROLE: z.string().regex(ROLE, "the name of a PostgreSQL role").optional().meta({
    description:
      "The PostgreSQL role of the help desk's pages (`npm run help-desk` has it in its `DATABASE_URL`): `portal migrate` lets it do what those pages do, and nothing else.",
  }),
  AUDIT_KEEP_MONTHS: wholeNumber(1, 1200).default(24).meta({
    description:
      "How many whole months (1 to 1200) of the audit stay in the database. Older ones are archived to files (`portal purge`; on SQLite the portal does it itself).",
  }),
  AUDIT_ARCHIVE_DIR: z.string().optional().meta({
    description:
      "The folder for archived months of the audit. Default: `audit` in `DATA_DIR`. It holds personal data: back it up and protect it like the database.",
  }),
  DATABASE_POOL: wholeNumber(1, MOST_CONNECTIONS)
    .default(10)
    .meta({ description: "The most connections one process opens to PostgreSQL." }),
  DATABASE_TLS: z.enum(["verify", "no-verify", "off"], "verify, no-verify or off").optional().meta({
    description:
      "`verify` uses TLS and checks that the certificate is the host's, `no-verify` uses TLS without checking, `off` uses none. By default it is `off` for this machine (a loopback address, `localhost`, a socket) and `verify` for any other.",
  }),
  DATABASE_CA_FILE: certificates.optional().meta({
    description:
      "A PEM file with the CA certificates to verify PostgreSQL's certificate with, instead of the default ones.",
  }),
};

function readAddress(text: string): DatabaseAddress | undefined {
  // An empty host is valid for a socket, but the URL parser rejects it.
  const url = /^postgres(ql)?:\/\//.test(text)
    ? parseUrl(text.replace(/(\/\/|@)\//, "$1socket.invalid/"))
    : undefined;
  if (!url || url.hash !== "") return undefined;
  const socket = url.searchParams.get("host");
  const isSocket = url.hostname === "socket.invalid" && socket?.startsWith("/") === true;
  if (url.search !== "" && (!isSocket || url.searchParams.size > 1)) return undefined;
  if (!isSocket && url.hostname === "socket.invalid") return undefined;
  const address = {
    host: isSocket ? socket : url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? OWN_PORT : Number(url.port),
    user: decode(url.username),
    password: decode(url.password),
    database: decode(url.pathname.slice(1)),
  };
  const { host, user, database } = address;
  if (!user || !database || address.password === undefined) return undefined;
  return host === "" || database.includes("/")
    ? undefined
    : { ...address, user, database, password: address.password };
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** Whether an address is on this machine, where no one can listen in on the connection. */
export function isOnThisMachine({ host }: Pick<DatabaseAddress, "host">): boolean {
  if (host.startsWith("/") || host === "localhost") return true;
  return host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
