const TONES = {
  good: "bg-success-tint text-success",
  soon: "bg-accent-tint text-accent-text",
  later: "bg-info-tint text-info",
  over: "bg-sunken text-muted",
} as const;

/** The state of something in words and colour. */
export interface BadgeProps {
  readonly text: string;
  readonly tone: keyof typeof TONES;
}

/** A small label with a state; see `BadgeProps`. */
export function StateBadge({ text, tone }: BadgeProps) {
  return (
    <p
      className={`inline-block max-w-full rounded-full border border-transparent px-3 py-1 text-sm font-semibold ${TONES[tone]}`}
    >
      {text}
    </p>
  );
}
