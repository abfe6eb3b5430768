import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { textsFor } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { signInTitle } from "~/screen/titles.server";
import { backendFor } from "~/session/backend.server";
import { go, signOut } from "~/session/gate.server";
import { isOwnNavigation } from "~/session/own-navigation.server";
import { Button, ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { ClosedDoorPicture } from "~/ui/illustrations/of-screens";
import { PageHeading } from "~/ui/page-heading";

/** "If a user is still in session it triggers logout" (specification §2) – unless another site, or a prefetch, asks. */
export async function loader({ request }: LoaderFunctionArgs) {
  const inSession = backendFor(request).hasSession();
  const ask = inSession && !isOwnNavigation(request);
  if (inSession && !ask) {
    await signOut(request);
    // Once more without a session, so that the page around it is a signed-out one.
    throw go(request, "/home/logout");
  }
  const t = await textsFor(request);
  return {
    title: signInTitle(t, t("logout:title")),
    ask,
    words: words(t, {
      header: ask ? "logout:ask.header" : "logout:header",
      text: "logout:text",
      confirm: "logout:ask.confirm",
      login: "logout:login",
    }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const posted = new URLSearchParams(await request.text());
  await signOut(request);
  return go(request, posted.get("intent") === "to-login" ? "/home" : "/home/logout");
}

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
