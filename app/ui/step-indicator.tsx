/** "Krok 1 z 2" and a bar of segments; the bar is decorative. */
export function StepIndicator({
  text,
  current,
  total,
}: {
  readonly text: string;
  readonly current: number;
  readonly total: number;
}) {
  return (
    <div className="mb-3">
      <p className="text-sm font-semibold text-accent-text">{text}</p>
      <div aria-hidden="true" className="mt-1 flex max-w-xs">
        {Array.from({ length: total }, (_segment, index) => (
          <span
            key={index}
            className={`mr-1 h-1 flex-1 rounded-full ${index < current ? "bg-accent" : "bg-line"}`}
          />
        ))}
      </div>
    </div>
  );
}
