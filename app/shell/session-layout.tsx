import { Outlet, useRouteLoaderData } from "@remix-run/react";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { ForScripts } from "~/ui/for-scripts";
import type { sessionWords } from "./layout.server";

/** The root's data about the session, if there is one. */
interface RootData {
  readonly session?: ReturnType<typeof sessionWords>;
}

/**
 * The layout of screens that need a session, with the warning before its end. It has no loader of its own: the root's
 * data is enough for the warning.
 */
export default function Session() {
  const session = useRouteLoaderData<RootData>("root")?.session;
  return (
    <>
      <Outlet />
      {session && <SessionWarning {...session} />}
    </>
  );
}

function SessionWarning({ limits, warning }: NonNullable<RootData["session"]>) {
  const { title, text, soon, stay, close, signOut } = warning;
  return (
    <ForScripts name="session-end" said={JSON.stringify({ limits, text, soon, stay, close })}>
      <Dialog id="session-end" role="alertdialog" header={title} message=" " open>
        <Button type="button" data-escape>
          {stay}
        </Button>
        <form method="post" action="/home/logout" className="mt-3 sm:mr-3 sm:mt-0">
          <Button type="submit" variant="secondary">
            {signOut}
          </Button>
        </form>
      </Dialog>
    </ForScripts>
  );
}
