import { useLinkedDialog } from "~/enhancements/modal-dialog";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";

/** The id the header's link points to. */
export const SIGN_OUT_ID = "sign-out";

/**
 * "Do you want to sign out?" Opened by a link to `#sign-out`; without a stylesheet it is at the end of the page, so
 * visitors can sign out in every browser.
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
  const ref = useLinkedDialog(SIGN_OUT_ID);
  return (
    <Dialog ref={ref} id={SIGN_OUT_ID} header={header} message={message}>
      <form method="post" action="/home/logout" className="sm:ml-3">
        {/* Lynx sends a form without a value as a GET. */}
        <input type="hidden" name="intent" value="sign-out" />
        <Button type="submit">{confirm}</Button>
      </form>
      <a
        href="#content"
        data-escape
        className="mt-3 inline-flex min-h-button-md w-full items-center justify-center rounded-control border-2 border-teal-600 px-5 py-2 font-semibold text-teal-700 hover:bg-teal-50 sm:mt-0 sm:w-auto"
      >
        {back}
      </a>
    </Dialog>
  );
}
