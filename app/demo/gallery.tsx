import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTexts } from "~/i18n/use-texts";
import { SCREEN_STATES } from "./screens/all";
import { problem } from "~/shell/problem";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { CustomerPage, PageHeading, Section } from "~/ui/page-layout";
import { PlainLink } from "~/ui/text-link";
import { demoBackend } from "~/visit/backend-client/backend-client.server";
import { textsFor } from "~/visit/browser.server";
import { specimens } from "./specimens";

/** Every component, and every screen in every state, for the portal's developers. */
export async function loader(args: LoaderFunctionArgs) {
  if (!(await demoBackend())) throw problem(404);
  const t = await textsFor(args.request);
  const screens = [...new Set(SCREEN_STATES.map(({ id }) => id.split("/")[0] ?? id))];
  return {
    title: customerTitle(t, t("common:demo.gallery")),
    screens: screens.map((screen) => ({
      screen,
      states: SCREEN_STATES.flatMap(({ id }) =>
        id === screen || id.startsWith(`${screen}/`) ? [{ id, name: id.slice(screen.length + 1) }] : [],
      ),
    })),
  };
}

export const action = readOnly(async () => {
  if (!(await demoBackend())) throw problem(404);
});

export default function Gallery() {
  const t = useTexts();
  const { screens } = useLoaderData<typeof loader>();
  return (
    <CustomerPage>
      <PageHeading header={t("common:demo.galleryTitle")}>{t("common:demo.galleryLead")}</PageHeading>
      <Section header={t("common:demo.galleryScreens")}>
        <dl className="space-y-3">
          {screens.map(({ screen, states }) => (
            <div key={screen} className="sm:flex">
              <dt className="sm:w-1/3 sm:flex-none">
                <code>{screen}</code>
              </dt>
              <dd>
                <ul className="flex flex-wrap">
                  {states.map(({ id, name }) => (
                    <li key={id} className="mb-2 mr-4">
                      {/* A full page of its own: the app's router must not handle the link. */}
                      <PlainLink href={`/demo/gallery/${id}`}>
                        {name === "" ? t("common:demo.galleryOpens") : name}
                      </PlainLink>
                    </li>
                  ))}
                </ul>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      {specimens(t).map(({ name, shown }) => (
        <Section key={name} header={name}>
          {shown}
        </Section>
      ))}
    </CustomerPage>
  );
}
