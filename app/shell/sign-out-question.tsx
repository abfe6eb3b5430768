import { Button, PlainButtonLink } from "~/ui/button";
import { Dialog } from "~/ui/dialog";

/** The id the header's link points to. */
export const SIGN_OUT_ID = "sign-out";

/**
 * "Do you want to sign out?" A link to `#sign-out` opens it. Without a stylesheet it is at the end of the page, so
 * customers can sign out in every browser.
 */
export function SignOutQuestion({
  header,
  message,
  back,
  confirm,
}: {
  readonly header: string;
  readonly message: string;
  readonly back: string;
  readonly confirm: string;
}) {
  return (
    <Dialog id={SIGN_OUT_ID} header={header} message={message}>
      <form method="post" action="/home/logout" className="sm:ml-3">
        {/* Lynx sends a form without a value as a GET. */}
        <input type="hidden" name="intent" value="sign-out" />
        <Button type="submit">{confirm}</Button>
      </form>
      <span className="mt-3 block sm:mt-0">
        <PlainButtonLink variant="secondary" href="#content" data-escape>
          {back}
        </PlainButtonLink>
      </span>
    </Dialog>
  );
}
