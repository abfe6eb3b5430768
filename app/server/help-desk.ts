import { countOpenConnections, recorders, reportFailure } from "./front-door/record.server";
import { HelpDeskApp, OWN_PATHS } from "~/help-desk/answer.server";
import { helpDeskCookieName } from "~/help-desk/cookies.server";
import { CALLBACK_PATH } from "~/help-desk/issuer.server";
import { openHelpDesk } from "~/help-desk/open.server";
import type { HelpDesk } from "~/help-desk/screen";
import { SCREENS } from "~/help-desk/screens";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { reportToServiceManager } from "~/platform/lifecycle/service-manager.server";
import { BUILD, VERSION } from "~/platform/release.server";
import { log } from "~/platform/telemetry/log.server";
import { openMetricsPort } from "~/platform/telemetry/metrics-port.server";
import { cachedFiles } from "./files";
import { Listener } from "./listener";
import { PortalServer } from "./portal-server";

/** The longest answer of an issuer, in characters: its codes, errors and session states have no limit of their own. */
const LONGEST_ANSWER = 16_384;
/** Room for that answer, and for cookies. */
const HEAD_BYTES = 32 * 1024;

/** Serves the help desk's pages at HOST and PORT, until the process gets the signal to stop. */
export async function serveHelpDesk(): Promise<void> {
  const desk = await openHelpDesk();
  const { HOST, PORT, PORTAL_MODE } = desk.settings;
  log().info({ version: VERSION, build: BUILD, mode: PORTAL_MODE }, "starting");
  const server = makeHelpDeskServer(desk);
  await openMetricsPort();
  keepAlive(
    "the port for staff",
    () => server,
    () => undefined,
    (serving) => serving.drain(),
  );
  reportToServiceManager(server);
  server.listen(PORT, HOST);
}

/** The server of the help desk: behind the same front door as a portal's, with an app and files of its own. */
export function makeHelpDeskServer(desk: HelpDesk, screens = SCREENS): PortalServer {
  const { settings, limits } = desk;
  const app = new HelpDeskApp(desk, screens);
  const files = cachedFiles("build/client");
  const paths = [...OWN_PATHS, ...screens.map(({ path }) => path)];
  const routes = Object.fromEntries(["/*", ...paths].map((path) => [path, { path: path.slice(1) }]));
  const listener = new Listener(
    {
      publicOrigin: settings.HELP_DESK_ORIGIN,
      backendHosts: [],
      trustedProxies: settings.TRUSTED_PROXIES,
      limits,
      longAddress: { path: CALLBACK_PATH, characters: LONGEST_ANSWER },
      languageCookie: helpDeskCookieName("language", desk.keys),
      ...recorders(routes),
    },
    {
      app: (request, context) => {
        // Remix' type allows to leave it out; the listener doesn't.
        if (!context) throw new Error("a request without its context");
        return app.handle(request, context.incoming);
      },
      // The API is the portals'.
      answerCall: (_request, response) => {
        response.writeHead(404).end();
        return Promise.resolve();
      },
      answerFromMemory: () => Promise.resolve(false),
      maintenanceUntil: () => undefined,
      files: files.addresses,
      reportFailure,
    },
  );
  countOpenConnections(() => listener.connections.size);
  return new PortalServer(listener, files.serve, HEAD_BYTES);
}
