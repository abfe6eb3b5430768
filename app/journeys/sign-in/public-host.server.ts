import { environment } from "~/platform/config/environment.server";

/** The host that customers should see in their address bar. */
export function publicHost(request: Request): string {
  return new URL(environment().PUBLIC_ORIGIN ?? request.url).host;
}
