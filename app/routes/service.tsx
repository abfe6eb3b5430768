import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readOnly } from "~/screen/read-only.server";
import { requestContext } from "~/front-door/context.server";
import { textsFor } from "~/i18n/texts.server";
import { clockTimeInPoland } from "~/i18n/times.server";
import { words } from "~/i18n/words.server";
import { signInTitle } from "~/screen/titles.server";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { LooseBrickPicture } from "~/ui/illustrations/loose-brick";
import { PageHeading } from "~/ui/page-heading";

/** The error page (specification §2), for everybody and in every state. */
export async function loader({ request }: LoaderFunctionArgs) {
  const t = await textsFor(request);
  const { requestId, receivedAt } = requestContext();
  return {
    title: t("common:app.titleError", { title: signInTitle(t, t("service:title")) }),
    reference: t("service:ref", { id: requestId, time: clockTimeInPoland(t, receivedAt) }),
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
  const { words, reference } = useLoaderData<typeof loader>();
  return (
    <Card>
      <LooseBrickPicture />
      <div className="mt-4">
        <PageHeading header={words.header}>{words.text}</PageHeading>
      </div>
      <p className="mt-3">{words.what}</p>
      <p className="mt-3 text-sm text-neutral-600">{reference}</p>
      <p className="mt-6">
        <ButtonLink to="/home">{words.login}</ButtonLink>
      </p>
    </Card>
  );
}
