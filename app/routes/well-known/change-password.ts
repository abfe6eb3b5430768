import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectTo } from "~/visit/browser.server";

/** The address that password managers open to change a password (W3C, "A Well-Known URL for Changing Passwords"). */
export function loader({ request }: LoaderFunctionArgs) {
  return redirectTo(request, "/home/change-password");
}

export const action = loader;
