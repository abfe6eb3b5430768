import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerApi } from "~/visit/backend-client/api.server";

/** The API for requests that the listener leaves to the router: odd addresses, and methods that no call has. */
export function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  return answerApi(request);
}

export const action = loader;
