import type { ReactNode } from "react";
import { figures, type Translate } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { brand } from "~/platform/config/brand.server";
import { BulletList } from "~/ui/bullet-list";
import { PlainButtonLink } from "~/ui/button";
import { OpenedByButton } from "~/ui/disclosure";
import { dialling, PhoneLinks } from "~/ui/phone";
import { Section } from "~/ui/page-layout";

/** The id of the part of a page with advice after damage. Addresses name it. */
const CLAIM_PART = "szkoda";

/** The target of a card's button: the form for claims, or the page that says what to do and whom to call. */
export function claimAddress(policyPage: string | undefined): string {
  return brand().claims.url ?? `${policyPage ?? "/cp/contact"}#${CLAIM_PART}`;
}

/** The button that reports a claim: on the insurer's page for claims, or by the number with the longest hours. */
export function ClaimButton() {
  const t = useTexts();
  const { url, phone, assistance } = brand().claims;
  const dial = t(assistance === undefined ? "cp:claim.dial" : "cp:claim.dialAlways", {
    phone: assistance ?? phone,
  });
  return (
    <p className={url === undefined ? undefined : "printed-address"}>
      <PlainButtonLink href={url ?? dialling(assistance ?? phone)} variant="secondary">
        {url === undefined ? dial : t("cp:claim.online")}
      </PlainButtonLink>
    </p>
  );
}

/** On a policy's page: one button that opens whom to call and what to do first. */
export function ClaimOpenedByButton({ policyNo }: { readonly policyNo: string }) {
  const t = useTexts();
  return (
    <OpenedByButton summary={t("cp:claim.report")}>
      {/* A link to the section's id opens it. */}
      <ClaimSection policyNo={policyNo}>
        <ClaimButton />
      </ClaimSection>
    </OpenedByButton>
  );
}

/**
 * After damage: whom to call, what to do first.
 * @param policyNo the number to have at hand
 * @param children the button
 */
export function ClaimSection({
  policyNo,
  children,
}: {
  readonly policyNo?: string;
  readonly children: ReactNode;
}) {
  const t = useTexts();
  return (
    <Section id={CLAIM_PART} header={t("cp:claim.header")}>
      {children}
      {callsOf(t).map((call) => (
        <p key={call} className="mt-3 font-semibold first:mt-0">
          <PhoneLinks text={call} />
        </p>
      ))}
      <div className="mt-4">
        <BulletList
          items={[t("cp:claim.safety"), t("cp:claim.prevent"), t("cp:claim.record")]}
          phones={[figures().emergency]}
        />
      </div>
      {policyNo !== undefined && (
        <p className="mt-4">
          {t("cp:claim.prepare")} <strong className="inline-block max-w-full">{policyNo}</strong>
        </p>
      )}
    </Section>
  );
}

/**
 * Whom to call: the 24-hour number, unless the button dials it, and the number for claims, if it is another; without either
 * the helpline.
 */
function callsOf(t: Translate): readonly string[] {
  const { claims, phones } = brand();
  const { url, phone, hours, assistance } = claims;
  const isOfHelpline = phones.includes(phone);
  if (assistance === undefined && isOfHelpline) return [t("cp:claim.helpline")];
  const calls =
    assistance === undefined || url === undefined ? [] : [t("cp:claim.always", { phone: assistance })];
  if (!isOfHelpline && phone !== assistance)
    calls.push(hours ? t("cp:claim.callHours", { phone, ...hours }) : t("cp:claim.call", { phone }));
  return calls;
}
