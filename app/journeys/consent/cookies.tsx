import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { words } from "~/i18n/texts.server";
import { documentLinks, signInTitle } from "~/shell/layout.server";
import { Button } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { DocumentList } from "~/ui/page-frame";
import { BiscuitPicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { SwitchField } from "~/ui/text-field";
import { areCookiesBlocked } from "~/visit/browser.server";
import { openVisit } from "~/visit/visit.server";

export async function loader(args: LoaderFunctionArgs) {
  const { t } = await openVisit(args);
  const [terms, cookies] = documentLinks(t);
  const blocked = areCookiesBlocked(args.request);
  const title = signInTitle(t, t("cookies:title"));
  return {
    title: blocked ? t("common:app.titleError", { title }) : title,
    blocked,
    documents: [cookies, terms].filter((document) => document !== undefined),
    words: words(t, {
      header: "cookies:header",
      text: "cookies:text",
      docs: "cookies:docs",
      basicHeader: "cookies:basic.header",
      basicText: "cookies:basic.text",
      switch: "cookies:basic.switch",
      always: "cookies:basic.always",
      accept: "cookies:accept",
      error: "cookies:error.blocked",
    }),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args);
  visit.setCookie("consent", "true");
  return visit.redirectTo("/home");
}

export default function Cookies() {
  const { words, blocked, documents } = useLoaderData<typeof loader>();
  return (
    <Screen picture={<BiscuitPicture />}>
      <PageHeading header={words.header} />
      {blocked && (
        <div className="mt-4">
          <ErrorSummary id="errors" title={words.error} items={[]} />
        </div>
      )}
      <p className="mt-3">{words.text}</p>
      {/* The decision is on a phone's first screen; what can be read about it follows. */}
      <form method="post" action="/home/cookies" className="mt-4">
        {/* Lynx sends a form without a value as a GET. */}
        <input type="hidden" name="intent" value="accept" />
        <fieldset className="min-w-0 rounded-control border border-line bg-card p-4">
          <legend className="sr-only">{words.basicHeader}</legend>
          <SwitchField
            id="basic-cookies"
            label={words.switch}
            hint={words.basicText}
            states={{ on: words.always, off: words.always }}
            defaultChecked
            disabled
          />
        </fieldset>
        <p className="mt-4">
          <Button type="submit" size="large">
            {words.accept}
          </Button>
        </p>
      </form>
      <p className="mt-6">{words.docs}</p>
      <DocumentList documents={documents} />
    </Screen>
  );
}
