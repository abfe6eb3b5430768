import type { LoaderFunctionArgs } from "@remix-run/node";
import { problem } from "~/shell/problem.server";
import { demoBackend } from "~/visit/backend-client/embedded.server";

/** The demo outbox for tests: newest first, `[{ to, text, sentAt }]`. */
export async function loader({ request }: LoaderFunctionArgs) {
  const backend = await demoBackend();
  if (!backend) throw await problem(request, 404);
  const messages = await backend.outbox();
  return Response.json(messages);
}

export async function action({ request }: LoaderFunctionArgs) {
  throw await problem(request, (await demoBackend()) ? 405 : 404);
}
