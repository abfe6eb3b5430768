import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerApi } from "~/visit/backend-client/api.server";

/** The API where nothing answers it before the router: in a development server, and at odd addresses. */
export function loader({ request }: LoaderFunctionArgs): Promise<Response> {
  return answerApi(request);
}

export const action = loader;
