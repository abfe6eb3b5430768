import type { LoaderFunctionArgs } from "@remix-run/node";
import { backendForApi } from "~/visit/backend-client/embedded.server";

/**
 * The embedded backend's API, for testers and other portals; the portal itself calls the backend in process. With an
 * attached backend it answers 404: this route is no way through to that server.
 */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const backend = await backendForApi();
  return backend ? backend.handle(request) : Response.json({}, { status: 404 });
}

export const action = loader;
