import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { asLanguage, IN_OTHER_LANGUAGE, localPath } from "~/visit/browser.server";
import { openVisit, type Visit } from "~/visit/visit.server";

const START = "/home";
const REGISTER = "/home/register";

/**
 * Target of the footer's language link: sets the language for the rest of the visit and redirects back. Registration says
 * that the identifier must be typed again. Open to every visitor; it changes nothing else, and an unknown language changes nothing.
 */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args);
  const language = asLanguage(args.params["code"]);
  const back = wayBack(visit);
  if (!language) return redirect(back, 303);
  visit.setCookie("language", language);
  return redirect(back === REGISTER ? `${REGISTER}?${IN_OTHER_LANGUAGE}` : back, 303);
}

export const action = loader;

/** The page that the visitor came from, but never another language link or the address that signs out when opened. */
function wayBack({ request, backend }: Visit): string {
  const back = localPath(new URL(request.url).searchParams.get("back")) ?? START;
  if (/^\/language\//i.test(back)) return START;
  // Escaped spellings too: no screen of the portal has a % in its path.
  return /^\/(home\/logout|[^?]*%)/i.test(back) && backend.hasSession() ? START : back;
}
