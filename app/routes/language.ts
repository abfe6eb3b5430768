import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { asLanguage } from "~/i18n/texts.server";
import { backendFor } from "~/session/backend.server";
import { keepCookie } from "~/session/cookies.server";
import { localPath } from "~/session/local-path.server";
import { isGuess } from "~/session/own-navigation.server";

const START = "/home";

/**
 * The link in the footer: the portal speaks this language for the rest of the visit. Everybody may choose, in every
 * state; it changes nothing else, and leads back. A language that there is not changes nothing at all.
 */
export function loader({ request, params }: LoaderFunctionArgs) {
  const language = asLanguage(params["code"]);
  if (language && !isGuess(request)) keepCookie("language", language);
  return redirect(wayBack(request), 303);
}

export const action = loader;

/** Where one came from. Not to another choice, and not to the one address that signs out whoever opens it. */
function wayBack(request: Request): string {
  const back = localPath(new URL(request.url).searchParams.get("back")) ?? START;
  if (/^\/language\//i.test(back)) return START;
  // However it is written: no screen of the portal has an escape in its path.
  return /^\/(home\/logout|[^?]*%)/i.test(back) && backendFor(request).hasSession() ? START : back;
}
