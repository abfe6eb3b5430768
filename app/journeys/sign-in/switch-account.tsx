import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { words } from "~/i18n/texts.server";
import { readOnly } from "~/shell/read-only.server";
import { signInTitle } from "~/shell/titles";
import { Button, ButtonLink, ButtonRow } from "~/ui/button";
import { ClosedDoorPicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { signedIn } from "~/visit/gate.server";

/** Tells a visitor who typed another username on an old sign-in page whose account is open (F15). */
export async function loader(args: LoaderFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { t } = visit;
  return {
    title: signInTitle(t, t("signIn:switch.header")),
    whose: t("signIn:switch.whose", { name: customer.name }),
    words: words(t, {
      header: "signIn:switch.header",
      how: "signIn:switch.how",
      stay: "signIn:switch.stay",
      signOut: "signIn:switch.signOut",
    }),
  };
}

export const action = readOnly(signedIn);

export default function SwitchAccount() {
  const { words, whose } = useLoaderData<typeof loader>();
  return (
    <Screen picture={<ClosedDoorPicture />} pictureFirst>
      <PageHeading header={words.header}>{whose}</PageHeading>
      <p className="mt-4">{words.how}</p>
      <div className="mt-6">
        <ButtonRow>
          <ButtonLink to="/cp">{words.stay}</ButtonLink>
          <form method="post" action="/home/logout" className="grid">
            <Button type="submit" name="intent" value="to-login" variant="secondary">
              {words.signOut}
            </Button>
          </form>
        </ButtonRow>
      </div>
    </Screen>
  );
}
