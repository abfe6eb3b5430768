/** A ring over the dimmed page; its text is read out. Always in the page: a live region must be there up front. */
export function Spinner({ shown, children }: { readonly shown: boolean; readonly children: string }) {
  return (
    <div className={shown ? "spinner" : undefined}>
      <div className={shown ? "rounded-card bg-card p-6 raised tight:p-2" : undefined}>
        {shown && <div className="spinner-ring" />}
        <p role="status" className={shown ? "spinner-text" : undefined}>
          {children}
        </p>
      </div>
    </div>
  );
}
