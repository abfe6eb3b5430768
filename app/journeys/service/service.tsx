import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { clockTimeInPoland } from "~/i18n/times.server";
import { words } from "~/i18n/texts.server";
import { readOnly } from "~/shell/read-only.server";
import { helpAtAnyHour, problemTitle } from "~/shell/layout.server";
import { ButtonLink } from "~/ui/button";
import { LooseBrickPicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { openVisit } from "~/visit/visit.server";

/** The error page (specification §2), open to every visitor. */
export async function loader(args: LoaderFunctionArgs) {
  const { t, reference } = await openVisit(args);
  return {
    title: problemTitle(t, t("service:header")),
    reference: t("service:ref", { id: reference.id, time: clockTimeInPoland(t, reference.receivedAt) }),
    always: helpAtAnyHour(t),
    words: words(t, {
      header: "service:header",
      text: "service:text",
      what: "service:what",
      login: "service:login",
    }),
  };
}

export const action = readOnly();

export default function Service() {
  const { words, always, reference } = useLoaderData<typeof loader>();
  return (
    <Screen picture={<LooseBrickPicture />} pictureFirst>
      <PageHeading header={words.header}>{words.text}</PageHeading>
      <p className="mt-3">
        <PhoneLinks text={words.what} />
      </p>
      {always !== undefined && (
        <p className="mt-3">
          <PhoneLinks text={always} />
        </p>
      )}
      <p className="mt-6">
        <ButtonLink to="/home">{words.login}</ButtonLink>
      </p>
      <p className="mt-6 text-sm text-muted">{reference}</p>
    </Screen>
  );
}
