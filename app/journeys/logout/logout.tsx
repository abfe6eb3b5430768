import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { words } from "~/i18n/words.server";
import { signInTitle } from "~/shell/titles.server";
import { Button, ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { ClosedDoorPicture } from "~/ui/illustrations/of-screens";
import { PageHeading } from "~/ui/page-heading";
import { isOwnNavigation } from "~/visit/own-navigation.server";
import { openVisit } from "~/visit/visit.server";

/** "If a user is still in session it triggers logout" (specification §2) – unless another site sent the request. */
export async function loader({ request }: LoaderFunctionArgs) {
  const visit = await openVisit(request);
  const inSession = visit.backend.hasSession();
  const ask = inSession && !isOwnNavigation(request);
  if (inSession && !ask) {
    await visit.signOut();
    // Load again without a session, so that the layout is the signed-out one.
    throw visit.redirectTo("/home/logout");
  }
  const { t } = visit;
  return {
    title: signInTitle(t, t("signOut:title")),
    ask,
    words: words(t, {
      header: ask ? "signOut:ask.header" : "signOut:header",
      text: "signOut:text",
      confirm: "signOut:ask.confirm",
      login: "signOut:login",
    }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const visit = await openVisit(request);
  const posted = new URLSearchParams(await request.text());
  await visit.signOut();
  return visit.redirectTo(AFTERWARDS.get(posted.get("intent")) ?? "/home/logout");
}

/** Where the buttons of a lock's dialog lead, once nobody is signed in. */
const AFTERWARDS: ReadonlyMap<string | null, string> = new Map([
  ["to-login", "/home"],
  ["to-reset", "/home/reset-password-init"],
]);

export default function Logout() {
  const { ask, words } = useLoaderData<typeof loader>();
  return (
    <Card>
      <ClosedDoorPicture />
      <div className="mt-4">
        <PageHeading header={words.header}>{ask ? undefined : words.text}</PageHeading>
      </div>
      <div className="mt-6">
        {ask ? (
          <form method="post" action="/home/logout">
            {/* Lynx sends a form without a value as a GET. */}
            <input type="hidden" name="intent" value="sign-out" />
            <Button type="submit">{words.confirm}</Button>
          </form>
        ) : (
          <ButtonLink to="/home">{words.login}</ButtonLink>
        )}
      </div>
    </Card>
  );
}
