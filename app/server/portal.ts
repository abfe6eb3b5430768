import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { endAll } from "~/platform/lifecycle/process.server";
import { failStartup, warnAtStartup } from "~/platform/lifecycle/fail-startup.server";
import { countOpenConnections, recorders, reportFailure } from "./front-door/record.server";
import { confirmationTexts } from "~/i18n/confirmation-texts.server";
import { mailTexts } from "~/i18n/mail-texts.server";
import { textsIn } from "~/i18n/texts.server";
import { noticeTexts, smsFaults, smsTexts, unboundCodes } from "~/i18n/sms-texts.server";
import { CACHED_SCREENS } from "~/journeys/cached-screens";
import { bankText } from "~/platform/bank-text.server";
import { brand, helplinePhone } from "~/platform/config/brand.server";
import { demoBrandProblems } from "~/platform/config/brand-variables.server";
import { colourAnchors, environment, warnOfFormerLimits } from "~/platform/config/environment.server";
import { schemesOf } from "~/platform/config/palette";
import { hostOfCodes, sendsNotices } from "~/platform/config/sms-variables.server";
import { BUILD, VERSION } from "~/platform/release.server";
import { log } from "~/platform/telemetry/log.server";
import { openMetricsPort } from "~/platform/telemetry/metrics-port.server";
import { PageCache } from "~/shell/page-cache.server";
import { answerApiCall } from "~/visit/backend-client/api.server";
import { connectGauges } from "~/visit/backend-client/readiness.server";
import { openBackendAtStart, provideBackendTexts } from "~/visit/backend-client/backend-client.server";
import { maintenanceUntil } from "./front-door/context.server";
import { watchAnnouncementFile } from "~/visit/announcement-file.server";
import { cookieName } from "~/visit/browser.server";
import { filesIn } from "./files";
import { Listener } from "./listener";

/** Node 20 stays allowed, because machines in use have it. */
const OUTDATED = process.versions.node.startsWith("20.")
  ? { outdated: `Node ${process.versions.node} has had no security fixes since April 2026` }
  : {};

/**
 * Opens the portal around the Remix app: checks the configuration, opens the backend and the port for metrics. Ends the
 * process with a line for each problem that an operator must mend.
 */
export async function openPortal(build: ServerBuild): Promise<Listener> {
  log().info({ version: VERSION, build: BUILD, mode: environment().PORTAL_MODE, ...OUTDATED }, "starting");
  warnOfFormerLimits();
  checkTexts();
  const listener = makeListener(build);
  countOpenConnections(() => listener.connections.size);
  connectGauges();
  await openMetricsPort();
  await openBackendAtStart();
  watchAnnouncementFile();
  return listener;
}

/** Closes the backend and the metrics port. The development server calls it before it reopens the portal after an edit. */
export function closePortal(): Promise<void> {
  return endAll();
}

const NO_TRANSFER_CODES =
  "BRAND_PAYMENT_RECIPIENT (or else BRAND_NAME): has a letter outside of ISO 8859-2, which banks can't carry, so payment pages show no QR code";

function checkTexts(): void {
  const settings = environment();
  const { BACKEND_URL } = settings;
  const { smsName, phones, payment } = brand();
  const problems = [...demoBrandProblems()];
  if (bankText(payment.recipient) === undefined) warnAtStartup(NO_TRANSFER_CODES);
  if (BACKEND_URL === undefined) {
    const helpline = sendsNotices(settings) ? helplinePhone(phones) : undefined;
    problems.push(...smsFaults(smsName, { helpline }));
    for (const warning of unboundCodes(smsName, hostOfCodes(settings))) warnAtStartup(warning);
  }
  if (problems.length > 0) failStartup(problems);
  provideBackendTexts({
    smsTexts: smsTexts(smsName),
    noticeTexts: noticeTexts(smsName, helplinePhone(phones)),
    mailTexts: mailTexts(brand(), schemesOf(colourAnchors(settings)).light),
    confirmationTexts: confirmationTexts(brand()),
    factorWords: {
      issuer: brand().name,
      nameOf: { app: textsIn()("factors:app.name"), passkey: textsIn()("factors:passkey.name") },
    },
  });
}

/** The API's addresses, which the listener answers before the router sees them. */
const API_ROUTES = { "user-api": { path: "home/api/*" }, "customer-api": { path: "cp/api/*" } };

function makeListener(build: ServerBuild): Listener {
  const { PUBLIC_ORIGIN, BACKEND_HOSTS, TRUSTED_PROXIES, limits } = environment();
  const app = createRequestHandler(build, import.meta.env.MODE);
  const pageCache = new PageCache(CACHED_SCREENS, app);
  return new Listener(
    {
      publicOrigin: PUBLIC_ORIGIN,
      backendHosts: BACKEND_HOSTS,
      trustedProxies: TRUSTED_PROXIES,
      limits,
      languageCookie: cookieName("language"),
      ...recorders({ ...build.routes, ...API_ROUTES }),
    },
    {
      app,
      answerCall: answerApiCall,
      answerFromMemory: (request, response, context) => pageCache.answer(request, response, context),
      maintenanceUntil,
      // A development server has answered files before the listener is asked.
      files: import.meta.env.DEV ? new Set() : filesIn("build/client", "public"),
      reportFailure,
    },
  );
}
