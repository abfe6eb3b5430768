import type { LoaderFunctionArgs } from "@remix-run/node";
import { SCREEN_STATES } from "./screens/all";
import { problemResponse } from "~/shell/static-page.server";
import { readOnlyFile } from "~/shell/read-only.server";
import { demoBackend } from "~/visit/backend-client/backend-client.server";
import { showState } from "./scripted-backend.server";

/** One screen of the gallery in one state, as a full working page. */
export async function loader(args: LoaderFunctionArgs) {
  const state = SCREEN_STATES.find(({ id }) => id === args.params["*"]);
  if (!state || !(await demoBackend())) return problemResponse(args, 404);
  return showState(args, state);
}

export async function action(args: LoaderFunctionArgs) {
  return (await demoBackend()) ? readOnlyFile(args) : problemResponse(args, 404);
}
