import type { LoaderFunctionArgs } from "@remix-run/node";
import { problemResponse } from "~/shell/static-page.server";
import { readOnlyFile } from "~/shell/read-only.server";
import { demoBackend } from "~/visit/backend-client/backend-client.server";

/** The demo outbox for tests: newest first, `[{ to, text, sentAt }]`. */
export async function loader(args: LoaderFunctionArgs) {
  const backend = await demoBackend();
  if (!backend) return problemResponse(args, 404);
  const messages = await backend.outbox();
  return Response.json(messages);
}

export async function action(args: LoaderFunctionArgs) {
  return (await demoBackend()) ? readOnlyFile(args) : problemResponse(args, 404);
}
