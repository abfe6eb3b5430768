import { once } from "node:events";
import { PassThrough } from "node:stream";
import { HELP_DESK_SCOPE } from "~/platform/config/command-needs.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { helpDeskOn } from "~/help-desk/open.server";
import type { HelpDesk, StaffScreen } from "~/help-desk/screen";
import { makeLog } from "~/platform/telemetry/log.server";
import { makeHelpDeskServer } from "~/server/help-desk";
import { atEndOfFile } from "../../end-of-file";
import { freePort } from "../../free-port";
import { Visitor } from "../../visitor";
import { emptyPlace, openStoreAt, type Place } from "../backend/test-place";
import { makeKeyring } from "~/backend/secrets/keyring.server";

const SECRET = "ZkVb8w2QmL5rT7yXc3NdPq9sJh4gAe6u";
const ending = new Set<() => Promise<void>>();
atEndOfFile("help desks", async () => {
  await Promise.all([...ending].map((end) => end()));
  ending.clear();
});

/** A help desk that serves on a port of this machine. */
export interface ServedHelpDesk {
  readonly origin: string;
  readonly place: Place;
  readonly desk: HelpDesk;
  /** Everything it has logged, a line each. */
  readonly log: () => readonly Record<string, unknown>[];
  /** Somebody's browser. */
  readonly visitor: () => Visitor;
  /** Its clock is ahead of the machine's by this much (ms). */
  ahead: number;
}

interface Where {
  /** Default: a free one. */
  readonly port?: number;
  /** Default: the product's. */
  readonly screens?: readonly StaffScreen[];
}

/** Serves a help desk of a demo, with the issuer that the variables name. */
export async function serveHelpDesk(
  variables: Readonly<Record<string, string>> = {},
  { port, screens }: Where = {},
): Promise<ServedHelpDesk> {
  const listensOn = port ?? (await freePort());
  const origin = variables["HELP_DESK_ORIGIN"] ?? `http://127.0.0.1:${listensOn}`;
  const reading = readEnvironment(
    { HELP_DESK_ORIGIN: origin, HELP_DESK_SECRETS: SECRET, LIMIT_STOP_IDLE_MS: "1", ...variables },
    HELP_DESK_SCOPE,
  );
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  const { environment: settings } = reading;
  const place = await emptyPlace("sqlite");
  const store = await openStoreAt(place);
  const lines = new PassThrough();
  let written = "";
  lines.setEncoding("utf8").on("data", (text: string) => (written += text));
  const served = { ahead: 0 };
  const desk = helpDeskOn({
    store,
    keyring: makeKeyring([{ version: 1, key: Buffer.alloc(32, 7) }]),
    clock: () => Date.now() + served.ahead,
    settings,
    log: makeLog("info", lines),
  });
  const server = makeHelpDeskServer(desk, screens);
  server.listen(listensOn, "127.0.0.1");
  await once(server, "listening");
  ending.add(async () => {
    await server.drain();
    await store.close();
  });
  return Object.assign(served, {
    origin,
    place,
    desk,
    log: () =>
      written
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    visitor: () =>
      new Visitor({ origin, port: listensOn, lastCode: () => Promise.reject(new Error("no SMS")) }),
  });
}
