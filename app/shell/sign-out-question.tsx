import { useTexts } from "~/i18n/use-texts";
import { Button, PlainButtonLink } from "~/ui/button";
import { Dialog } from "~/ui/dialog";

/** The id the header's link points to. */
export const SIGN_OUT_ID = "sign-out";

/**
 * "Do you want to sign out?" A link to `#sign-out` opens it. Without a stylesheet it is at the end of the page, so
 * customers can sign out in every browser.
 */
export function SignOutQuestion() {
  const t = useTexts();
  return (
    <Dialog
      id={SIGN_OUT_ID}
      header={t("layout:logoutModal.header")}
      message={t("layout:logoutModal.message")}
    >
      <form method="post" action="/home/logout" className="sm:ml-3">
        {/* Lynx sends a form without a value as a GET. */}
        <input type="hidden" name="intent" value="sign-out" />
        <Button type="submit">{t("layout:logoutModal.confirm")}</Button>
      </form>
      <span className="mt-3 block sm:mt-0">
        <PlainButtonLink variant="secondary" href="#content" data-escape>
          {t("layout:logoutModal.back")}
        </PlainButtonLink>
      </span>
    </Dialog>
  );
}
