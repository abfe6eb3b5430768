import { type CallName, CALLS } from "~/contract/calls.server";
import type { CallMessage } from "~/contract/messages.server";
import type { Send } from "~/visit/backend-client/attached.server";
import {
  ANY_PASSKEY_OPTIONS,
  NO_FACTORS,
  policy,
  policyPage,
  PREPARED_APP,
  PREPARED_PASSKEY,
  PROFILE,
  RECOVERY_CODE,
  type ScreenState,
  type ScriptedAnswer,
  SESSIONS,
  usualEvents,
  usualPolicies,
} from "./screens/screen-states";
import type { RequestContext, RouteArgs } from "~/server/front-door/context.server";
import { cookieName, hostPrefixed, languageOf } from "~/visit/browser.server";
import { sealFlow } from "~/visit/flow.server";
import { replaceBackend } from "~/visit/visit.server";

/** A backend that knows one customer, gives the state's answers, and does nothing. */
function scriptedBackend({ session, answers = {} }: ScreenState): Send {
  return (call) => {
    const name = nameOf(call);
    const answer = name ? (answers[name] ?? USUAL[name](session)) : { status: 404 };
    const body = answer.body === undefined ? "" : JSON.stringify(answer.body);
    return Promise.resolve({ status: answer.status, headers: {}, setCookies: [], body });
  };
}

type Usual = (session: ScreenState["session"]) => ScriptedAnswer;

/** The answer to each call, unless the state has one of its own. */
const USUAL: Readonly<Record<CallName, Usual>> = {
  userInfo: (session) =>
    session ? done({ name: PROFILE.name, username: PROFILE.username }) : { status: 401 },
  userInit: (session) => (session === "active" ? done({}) : { status: session ? 409 : 401 }),
  policies: () => done({ policies: usualPolicies() }),
  policy: () => done(policyPage(policy("POL-100001", "Mieszkanie", { from: -100, to: 264 }))),
  profile: () => done(PROFILE),
  sessions: () => done({ sessions: SESSIONS }),
  activity: () => done({ events: usualEvents() }),
  // The gallery shows no file.
  document: () => ({ status: 404 }),
  login: nothing,
  passkeySignInInit: () => done({ options: ANY_PASSKEY_OPTIONS }),
  passkeySignInConfirm: nothing,
  activateSessionInit: nothing,
  activateSessionConfirm: nothing,
  registerInit: nothing,
  registerConfirm: nothing,
  passwordResetInit: nothing,
  passwordResetConfirm: nothing,
  loginChangeInit: nothing,
  loginChangeConfirm: nothing,
  loginRemindInit: nothing,
  loginRemindConfirm: () => done({ username: PROFILE.username }),
  documentPasswordInit: nothing,
  documentPasswordConfirm: nothing,
  deleteSession: gone,
  deleteTrustedDevice: gone,
  deleteTrustedDevices: gone,
  endSession: gone,
  endOtherSessions: gone,
  stopNewPhone: nothing,
  factors: () => done(NO_FACTORS),
  factorsInit: nothing,
  appPrepare: () => done(PREPARED_APP),
  appConfirm: () => done({ recoveryCode: RECOVERY_CODE }),
  passkeyPrepare: () => done(PREPARED_PASSKEY),
  passkeyConfirm: () => done({ recoveryCode: RECOVERY_CODE }),
  newRecoveryCode: () => done({ recoveryCode: RECOVERY_CODE }),
  recoveryCodeKept: nothing,
  smsAtSignIn: nothing,
  removeFactor: nothing,
};

function done(body: object): ScriptedAnswer {
  return { status: 200, body };
}

function nothing(): ScriptedAnswer {
  return done({});
}

function gone(): ScriptedAnswer {
  return { status: 204 };
}

function nameOf({ method, path }: CallMessage): CallName | undefined {
  return NAMES.find((name) => CALLS[name].method === method && PATHS[name].test(path));
}

const NAMES = Object.keys(CALLS) as CallName[];
const PATHS = Object.fromEntries(
  NAMES.map((name) => [name, new RegExp(`^${CALLS[name].path.replaceAll(/\{\w+\}/g, "[^/]+")}$`)]),
) as Readonly<Record<CallName, RegExp>>;

/** The reference number of every problem in the gallery. */
const REFERENCE = "0123456789ab";

/**
 * Renders the whole page of a screen in a state, with the app itself.
 * @throws Error if the state leads to another screen, which means its script is wrong
 */
export async function showState(asked: RouteArgs, state: ScreenState): Promise<Response> {
  const request = await requestOf(asked.request, state);
  const incoming: RequestContext = {
    ...asked.context.incoming,
    requestId: REFERENCE,
    setCookies: [],
    announces: { announcement: state.announcement },
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
