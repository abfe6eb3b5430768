import type { RequestContext, RouteArgs } from "~/front-door/context.server";
import { cookieName, hostPrefixed, languageOf } from "~/visit/browser.server";
import { sealFlow } from "~/visit/flow.server";
import { replaceBackend } from "~/visit/visit.server";
import type { ScreenState } from "./screen-state.server";
import { scriptedBackend } from "./scripted-backend.server";

/** The reference number of every problem in the gallery. */
const REFERENCE = "0123456789ab";

/**
 * The whole page of a screen in a state, as the app itself answers it.
 * @throws Error if the state leads to another screen, which means its script is wrong
 */
export async function showState(asked: RouteArgs, state: ScreenState): Promise<Response> {
  const request = await requestOf(asked.request, state);
  const incoming: RequestContext = {
    ...asked.context.incoming,
    requestId: REFERENCE,
    setCookies: [],
  };
  const { app } = asked.context;
  const context = { incoming, app };
  replaceBackend({ request, context }, scriptedBackend(state));
  const answer = await app(request, context);
  if (answer.headers.has("Location"))
    throw new Error(`${state.id} leads to ${answer.headers.get("Location") ?? ""}`);
  return answer;
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
