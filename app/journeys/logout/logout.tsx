import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { Button, ButtonLink } from "~/ui/button";
import { ClosedDoorPicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { isOwnNavigation } from "~/visit/browser.server";
import { typedUsername } from "~/visit/flow.server";
import { openVisit } from "~/visit/visit.server";

/** "If a user is still in session it triggers logout" (specification §2) – unless another site sent the request. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args);
  const inSession = visit.backend.hasSession();
  const ask = inSession && !isOwnNavigation(visit.request);
  if (inSession && !ask) {
    await visit.signOutAsAsked();
    // Load again without a session, so that the layout is the signed-out one.
    throw visit.redirectTo("/home/logout");
  }
  const { t } = visit;
  return { title: signInTitle(t, t("signOut:title")), ask };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args);
  const posted = await visit.posted();
  const typed = visit.flow(typedUsername);
  await visit.signOutAsAsked();
  // From a lock's dialog and from the account switch.
  const next = posted.get("intent") === "to-login" ? "/home" : "/home/logout";
  if (typed && next === typedUsername.startsAt) await visit.remember(typedUsername, typed);
  return visit.redirectTo(next);
}

export default function Logout() {
  const t = useTexts();
  const { ask } = useLoaderData<typeof loader>();
  return (
    <Screen picture={<ClosedDoorPicture />} pictureFirst>
      <PageHeading header={t(ask ? "signOut:ask.header" : "signOut:header")}>
        {ask ? undefined : t("signOut:text")}
      </PageHeading>
      <div className="mt-6">
        {ask ? (
          <form method="post" action="/home/logout">
            {/* Lynx sends a form without a value as a GET. */}
            <input type="hidden" name="intent" value="sign-out" />
            <Button type="submit">{t("signOut:ask.confirm")}</Button>
          </form>
        ) : (
          <ButtonLink to="/home">{t("signOut:login")}</ButtonLink>
        )}
      </div>
    </Screen>
  );
}
