import { callOf, responseOf } from "~/contract/messages.server";
import { backendForApi } from "./embedded.server";

/**
 * Answers a call of the embedded backend's API, for testers and other portals; the portal itself calls the backend in
 * process. With an attached backend the answer is 404: this never leads through to that server.
 */
export async function answerApi(request: Request): Promise<Response> {
  const backend = await backendForApi();
  return backend ? responseOf(await backend.handle(callOf(request))) : Response.json({}, { status: 404 });
}
