import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { clockTimeInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { brand } from "~/platform/config/brand.server";
import { readOnly } from "~/shell/read-only.server";
import { problemTitle } from "~/shell/titles";
import { ButtonLink } from "~/ui/button";
import { LooseBrickPicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { openVisit } from "~/visit/visit.server";

/** The error page (specification §2), open to every visitor. */
export async function loader(args: LoaderFunctionArgs) {
  const { t, reference } = await openVisit(args);
  return { title: problemTitle(t, t("service:header")), reference };
}

export const action = readOnly();

export default function Service() {
  const t = useTexts();
  const { id, receivedAt } = useLoaderData<typeof loader>().reference;
  return (
    <Screen picture={<LooseBrickPicture />} pictureFirst>
      <PageHeading header={t("service:header")}>{t("service:text")}</PageHeading>
      <p className="mt-3">
        <PhoneLinks text={t("service:what")} />
      </p>
      {brand().claims.assistance !== undefined && (
        <p className="mt-3">
          <PhoneLinks text={t("common:helpline.always")} />
        </p>
      )}
      <p className="mt-6">
        <ButtonLink to="/home">{t("service:login")}</ButtonLink>
      </p>
      <p className="mt-6 text-sm text-muted">
        {t("service:ref", { id, time: clockTimeInPoland(t, receivedAt) })}
      </p>
    </Screen>
  );
}
