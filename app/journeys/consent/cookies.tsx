import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTexts } from "~/i18n/use-texts";
import { DocumentList } from "~/shell/page-frame";
import { signInTitle } from "~/shell/titles";
import { Button } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { BiscuitPicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { SwitchField } from "~/ui/text-field";
import { areCookiesBlocked } from "~/visit/browser.server";
import { openVisit } from "~/visit/visit.server";

export async function loader(args: LoaderFunctionArgs) {
  const { t } = await openVisit(args);
  const blocked = areCookiesBlocked(args.request);
  const title = signInTitle(t, t("cookies:title"));
  return { title: blocked ? t("common:app.titleError", { title }) : title, blocked };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args);
  visit.setCookie("consent", "true");
  return visit.redirectTo("/home");
}

export default function Cookies() {
  const t = useTexts();
  const { blocked } = useLoaderData<typeof loader>();
  const always = t("cookies:basic.always");
  return (
    <Screen picture={<BiscuitPicture />}>
      <PageHeading header={t("cookies:header")} />
      {blocked && (
        <div className="mt-4">
          <ErrorSummary id="errors" title={t("cookies:error.blocked")} items={[]} />
        </div>
      )}
      <p className="mt-3">{t("cookies:text")}</p>
      {/* The decision is on a phone's first screen; what can be read about it follows. */}
      <form method="post" action="/home/cookies" className="mt-4">
        {/* Lynx sends a form without a value as a GET. */}
        <input type="hidden" name="intent" value="accept" />
        <fieldset className="min-w-0 rounded-control border border-line bg-card p-4">
          <legend className="sr-only">{t("cookies:basic.header")}</legend>
          <SwitchField
            id="basic-cookies"
            label={t("cookies:basic.switch")}
            hint={t("cookies:basic.text")}
            states={{ on: always, off: always }}
            defaultChecked
            disabled
          />
        </fieldset>
        <p className="mt-4">
          <Button type="submit" size="large">
            {t("cookies:accept")}
          </Button>
        </p>
      </form>
      <p className="mt-6">{t("cookies:docs")}</p>
      <DocumentList />
    </Screen>
  );
}
