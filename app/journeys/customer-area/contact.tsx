import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { words } from "~/i18n/words.server";
import { brand, isFreeToCall } from "~/platform/config/brand.server";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles.server";
import { BulletList } from "~/ui/bullet-list";
import { CustomerPage } from "~/ui/customer-page";
import { PageHeading } from "~/ui/page-heading";
import { PhoneLinks } from "~/ui/phone-links";
import { Section } from "~/ui/section";
import { signedIn } from "~/visit/gate.server";
import { helplineState } from "./helpline-hours";

export async function loader({ request }: LoaderFunctionArgs) {
  const { visit } = await signedIn(request);
  const { t } = visit;
  return {
    title: customerTitle(t, t("cp:contact.title")),
    phones: brand().phones.map((phone) => ({
      phone,
      cost: t(isFreeToCall(phone) ? "common:helpline.free" : "common:helpline.paid"),
    })),
    state: t(`common:helpline.${helplineState(new Date(), brand().hours)}`),
    advice: [t("cp:contact.before"), t("cp:contact.never")],
    words: words(t, {
      header: "cp:contact.header",
      helpline: "cp:contact.helpline",
      hours: "common:helpline.hours",
    }),
  };
}

export const action = readOnly(signedIn);

export default function Contact() {
  const { words, phones, state, advice } = useLoaderData<typeof loader>();
  return (
    <CustomerPage>
      <PageHeading header={words.header} />
      <Section header={words.helpline}>
        <ul>
          {phones.map(({ phone, cost }) => (
            <li key={phone} className="py-2">
              <span className="text-2xl font-semibold text-link">
                <PhoneLinks text={phone} />
              </span>{" "}
              <span className="text-sm text-muted">({cost})</span>
            </li>
          ))}
        </ul>
        <p className="mt-2">{words.hours}</p>
        <p className="mt-1 font-semibold">{state}</p>
        <div className="mt-4">
          <BulletList items={advice} />
        </div>
      </Section>
    </CustomerPage>
  );
}
