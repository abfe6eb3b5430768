import type { LoaderFunctionArgs } from "@remix-run/node";
import { backendForApi } from "~/visit/backend-client/embedded.server";

/**
 * The embedded backend's API, for testers and for other portals. The portal itself calls it in process. There is none
 * where the backend is another server: nobody gets to that one through here.
 */
export async function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  const backend = await backendForApi();
  return backend ? backend.handle(request) : Response.json({}, { status: 404 });
}

export const action = loader;
