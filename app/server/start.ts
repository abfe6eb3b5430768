import type { RequestListener } from "node:http";
import * as build from "virtual:remix/server-build";
import { listenAsConfigured } from "~/platform/config/environment.server";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { reportToServiceManager } from "~/platform/lifecycle/service-manager.server";
import { surviveLostOutput } from "~/platform/telemetry/error-output.server";
import { log } from "~/platform/telemetry/log.server";
import { openPortal } from "./portal";
import { PortalServer } from "./portal-server";
import { serveWith } from "./seam";

/*
 * The entry of the built portal, which remix-serve loads and takes for the Remix app. Nothing else may import it: a
 * second import, under any other address, would be a second portal with a second database.
 */

export * from "virtual:remix/server-build";

// Otherwise Node and remix-serve would print the stack as plain text, with whatever data the message quotes.
process.once("uncaughtException", (error) => {
  log().error({ err: error }, "crashed");
  process.exit(1);
});

surviveLostOutput();

const listener = await openPortal(build);

listenAsConfigured();

serveWith((app: RequestListener) => {
  const server = keepAlive(
    "the port for customers",
    () => new PortalServer(listener, app),
    () => undefined,
    (serving) => serving.drain(),
  );
  reportToServiceManager(server);
  return server;
});
