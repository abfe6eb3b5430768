/** The insurer, at the top of every page. */
export interface BrandMarkProps {
  readonly name: string;
  readonly second: string;
  readonly logo: string | undefined;
}

/** The mark with the name beside it: an arch over a person, or the insurer's own logo (an SVG, decorative). */
export function BrandMark({ name, second, logo }: BrandMarkProps) {
  return (
    <span className="flex items-center">
      {logo === undefined ? (
        <Arch />
      ) : (
        // Comes from the operator; read and checked at startup.
        <span
          aria-hidden="true"
          className="brand-logo mr-2.5 flex-none"
          dangerouslySetInnerHTML={{ __html: logo }}
        />
      )}
      <span className="block leading-tight">
        <span className="block font-heading text-2xl font-bold leading-6 text-ink">{name}</span>{" "}
        <span className="block text-xs text-muted">{second}</span>
      </span>
    </span>
  );
}

function Arch() {
  return (
    <svg viewBox="0 0 40 40" width="36" height="36" aria-hidden="true" className="mr-2.5 flex-none">
      <path className="fill-art-main" d="M2 25a18 18 0 0 1 36 0h-8a10 10 0 0 0-20 0z" />
      <path className="fill-art-soft" d="M10 25a10 10 0 0 1 20 0h-5a5 5 0 0 0-10 0z" />
      <circle cx="20" cy="31" r="4.5" className="fill-accent" />
    </svg>
  );
}
