import { Alert } from "~/ui/alert";
import { PhoneLinks } from "~/ui/phone";
import { PlainLink } from "~/ui/text-link";
import type { NoticeText } from "./notice";

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
