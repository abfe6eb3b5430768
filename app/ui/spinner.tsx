/** A ring over the veiled page, with a text that is read out when it comes. Its place is always there, for screen readers. */
export function Spinner({ shown, children }: { readonly shown: boolean; readonly children: string }) {
  return (
    <div className={shown ? "spinner" : undefined}>
      <div className={shown ? "rounded-card bg-white p-6 shadow-dialog" : undefined}>
        {shown && <div className="spinner-ring" />}
        <p role="status" className={shown ? "spinner-text" : undefined}>
          {children}
        </p>
      </div>
    </div>
  );
}
