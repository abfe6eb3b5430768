/** The button inside a secret field that shows and hides its characters (C-19). Scripts put it there and name it. */
export function ShowToggle() {
  return (
    <>
      <button
        type="button"
        data-show-toggle
        className="absolute right-1 top-1 min-h-button-md rounded-control px-3 text-sm font-semibold text-link underline"
      />
      <span role="status" className="sr-only" />
    </>
  );
}
