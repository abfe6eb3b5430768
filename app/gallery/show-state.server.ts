import type { RequestContext, RouteArgs } from "~/front-door/context.server";
import { cookieName, hostPrefixed } from "~/visit/cookies.server";
import { sealFlow } from "~/visit/flow.server";
import { languageOf } from "~/visit/language.server";
import { replaceBackend } from "~/visit/visit.server";
import { portalRequestHandler } from "~/front-door/portal-request-handler.server";
import type { ScreenState } from "./screen-state.server";
import { scriptedBackend } from "./scripted-backend.server";

/** The reference number of every problem in the gallery. */
const REFERENCE = "0123456789ab";
const NONCE = /'nonce-([^']+)'/;

/**
 * The whole page of a screen in a state, as the app itself answers it. Its script gets the screen's own address first,
 * since a page hydrates only under the address it was rendered for.
 * @throws Error if the state leads to another screen, which means its script is wrong
 */
export async function showState(asked: RouteArgs, state: ScreenState): Promise<Response> {
  const app = await portalRequestHandler();
  const request = await requestOf(asked.request, state);
  const incoming: RequestContext = {
    ...asked.context.incoming,
    requestId: REFERENCE,
    setCookies: [],
    memo: new Map(),
  };
  const context = { incoming };
  replaceBackend({ request, context }, scriptedBackend(state));
  const answer = await app(request, context);
  if (answer.headers.has("Location"))
    throw new Error(`${state.id} leads to ${answer.headers.get("Location") ?? ""}`);
  const nonce = NONCE.exec(answer.headers.get("Content-Security-Policy") ?? "")?.[1];
  const html = await answer.text();
  return new Response(nonce === undefined ? html : atHome(html, state.path, nonce), {
    status: answer.status,
    headers: answer.headers,
  });
}

/** The script removes itself: to React it would be an unknown element, and React would render everything again. */
function atHome(html: string, path: string, nonce: string): string {
  const script = `<script nonce="${nonce}">history.replaceState(null,"",${JSON.stringify(path)});document.currentScript.remove()</script>`;
  return html.replace("<head>", () => `<head>${script}`);
}

async function requestOf(asked: Request, state: ScreenState): Promise<Request> {
  const url = new URL(state.path === "/home" && state.sent ? "/home?index" : state.path, asked.url);
  const headers = new Headers({ Cookie: await cookiesOf(asked, state), "X-Request-Id": REFERENCE });
  if (!state.sent) return new Request(url, { headers });
  return new Request(url, { method: "POST", headers, body: new URLSearchParams(state.sent) });
}

/** The gallery's requests have no browser cookie. */
const NO_BROWSER = "";

async function cookiesOf(asked: Request, { consent, session, flow }: ScreenState): Promise<string> {
  const language = await languageOf(asked);
  return [
    ...(consent === false ? [] : [`${cookieName("consent")}=true`]),
    ...(session ? [`${hostPrefixed("session")}=gallery`] : []),
    ...(flow ? [`${cookieName("flow")}=${await sealFlow(flow, NO_BROWSER)}`] : []),
    `${cookieName("language")}=${language}`,
  ].join("; ");
}
