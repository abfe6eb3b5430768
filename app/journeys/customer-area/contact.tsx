import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { words } from "~/i18n/texts.server";
import { brand, isFreeToCall } from "~/platform/config/brand.server";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { BulletList } from "~/ui/bullet-list";
import { CustomerPage, PageHeading, Section } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { PlainLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import { ClaimButton, ClaimSection } from "./claim-section";
import { claimWords } from "./claim-words";
import { helplineState } from "./helpline-hours";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  return {
    title: customerTitle(t, t("cp:contact.title")),
    phones: brand().phones.map((phone) => ({
      phone,
      cost: t(isFreeToCall(phone) ? "common:helpline.free" : "common:helpline.paid"),
    })),
    state: t(`common:helpline.${helplineState(new Date(), brand().hours)}`),
    claim: claimWords(t),
    email: brand().email,
    advice: [t("cp:contact.beforeNumber"), t("cp:contact.never")],
    words: words(t, {
      header: "cp:contact.header",
      helpline: "cp:contact.helpline",
      hours: "common:helpline.hours",
      email: "cp:contact.email",
      emailNever: "cp:contact.emailNever",
      before: "cp:contact.before",
    }),
  };
}

export const action = readOnly(signedIn);

export default function Contact() {
  const { words, claim, email, advice, ...helpline } = useLoaderData<typeof loader>();
  return (
    <CustomerPage>
      <PageHeading header={words.header} />
      <div className="lg:flex lg:items-start">
        <div className="min-w-0 lg:flex-1">
          <Helpline words={words} {...helpline} />
          <Section header={words.before}>
            <BulletList items={advice} />
          </Section>
        </div>
        <div className="lg:ml-6 lg:w-5/12 lg:flex-none">
          <ClaimSection words={claim}>
            <ClaimButton button={claim.button} />
          </ClaimSection>
          {email !== undefined && (
            <Section header={words.email}>
              <p className="-my-2.5 break-words">
                <PlainLink href={`mailto:${email}`}>{email}</PlainLink>
              </p>
              <p className="mt-4">{words.emailNever}</p>
            </Section>
          )}
        </div>
      </div>
    </CustomerPage>
  );
}

type HelplineProps = Pick<ReturnType<typeof useLoaderData<typeof loader>>, "words" | "phones" | "state">;

function Helpline({ words, phones, state }: HelplineProps) {
  return (
    <Section header={words.helpline}>
      <ul>
        {phones.map(({ phone, cost }) => (
          <li key={phone} className="py-2">
            <span className="text-2xl font-semibold text-link">
              <PhoneLinks text={phone} />
            </span>{" "}
            <span className="block text-sm text-muted sm:inline">{`(${cost})`}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2">{words.hours}</p>
      <p className="mt-1 font-semibold">{state}</p>
    </Section>
  );
}
