import { sentences } from "~/i18n/texts.server";
import { Alert } from "~/ui/alert";
import { PhoneLinks } from "~/ui/phone";
import { PlainLink } from "~/ui/text-link";
import type { Notice } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";
import { documentPath, policyPath } from "./addresses";

/** The text of a notice, and its kind. */
export interface NoticeText {
  readonly kind: "success" | "warning" | "info";
  readonly text: string;
  /** A link to the document that is now available, or to the policy where the journey started. */
  readonly link?: { readonly href: string; readonly text: string } | undefined;
}

/** After "To nie ja": all other sessions have ended, and the next step is a new password. */
export const ACCOUNT_SECURED: Notice = { kind: "success", texts: ["cp:notMe.done"] };

/** The notice for the first page after the sign-in, which also shows the news since the previous one. */
export function afterSignIn(notice?: Notice): Notice {
  return { kind: "info", texts: [], ...notice, afterSignIn: true };
}

/** The notice left by the previous screen, shown once. It travels in the flow cookie and needs no scripts. */
export function noticeText(visit: Visit): NoticeText | undefined {
  const notice = visit.takeNotice();
  if (!notice || notice.texts.length === 0) return undefined;
  const { t } = visit;
  const { kind, texts, documentId, policyId } = notice;
  const toDocument = documentId && { href: documentPath(documentId), text: t("cp:document.waiting") };
  const toPolicy = policyId && { href: policyPath(policyId), text: t("cp:policy.back") };
  return { kind, text: sentences(t, texts), link: (toDocument ?? toPolicy) || undefined };
}

/** The notice from the previous screen, above the content. */
export function NoticeBox({ notice }: { readonly notice: NoticeText | undefined }) {
  if (!notice) return null;
  return (
    <div className="mt-4">
      <Alert kind={notice.kind}>
        <PhoneLinks text={notice.text} />
        {notice.link && (
          <>
            {" "}
            <PlainLink href={notice.link.href}>{notice.link.text}</PlainLink>
          </>
        )}
      </Alert>
    </div>
  );
}
