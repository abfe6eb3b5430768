import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTexts } from "~/i18n/use-texts";
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
  return { title: signInTitle(t, t("signIn:switch.header")), name: customer.name };
}

export const action = readOnly(signedIn);

export default function SwitchAccount() {
  const t = useTexts();
  const { name } = useLoaderData<typeof loader>();
  return (
    <Screen picture={<ClosedDoorPicture />} pictureFirst>
      <PageHeading header={t("signIn:switch.header")}>{t("signIn:switch.whose", { name })}</PageHeading>
      <p className="mt-4">{t("signIn:switch.how")}</p>
      <div className="mt-6">
        <ButtonRow>
          <ButtonLink to="/cp">{t("signIn:switch.stay")}</ButtonLink>
          <form method="post" action="/home/logout" className="grid">
            <Button type="submit" name="intent" value="to-login" variant="secondary">
              {t("signIn:switch.signOut")}
            </Button>
          </form>
        </ButtonRow>
      </div>
    </Screen>
  );
}
