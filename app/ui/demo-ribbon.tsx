/** Tells visitors on every page that nothing here is real, and links the SMS outbox if there is one. */
export function DemoRibbon({
  text,
  outbox,
}: {
  readonly text: string;
  readonly outbox: { readonly text: string; readonly newTab: string } | undefined;
}) {
  return (
    <p data-screen-only className="bg-accent-tint py-1 text-sm text-ink">
      <span className="page-grid block">
        {text}
        {outbox && (
          <>
            {" "}
            <a
              href="/demo/sms"
              target="_blank"
              rel="noreferrer"
              className="whitespace-nowrap py-1 font-semibold text-accent-text underline"
            >
              {outbox.text}
              <span className="sr-only">{` (${outbox.newTab})`}</span>
            </a>
          </>
        )}
      </span>
    </p>
  );
}
