import { Outlet, useRouteLoaderData } from "@remix-run/react";
import { SessionWarning } from "~/enhancements/session-warning";
import type { sessionWords } from "./session-words.server";

/** What the root tells of a session, if there is one. */
interface RootData {
  readonly session?: ReturnType<typeof sessionWords>;
}

/**
 * The layout of screens that need a session. It has no loader, since each one costs Remix two more requests; the root's
 * says what the warning needs.
 */
export default function Session() {
  const session = useRouteLoaderData<RootData>("root")?.session;
  return (
    <>
      <Outlet />
      {session && <SessionWarning limits={session.limits} words={session.warning} />}
    </>
  );
}
