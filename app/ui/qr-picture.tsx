import encodeQR from "qr";

/** Light modules around the code, as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4;

interface QrPictureProps {
  readonly text: string;
  /** What the code is for. Its text stands beside it, so that nothing depends on a camera. */
  readonly label: string;
}

/** The QR code of a text, black on white in both schemes: apps read nothing else reliably. */
export function QrPicture({ text, label }: QrPictureProps) {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE });
  const dark = rows.flatMap((row, y) =>
    Array.from(row.map(Number).join("").matchAll(/1+/g), ({ 0: { length }, index }) => {
      return `M${index} ${y}h${length}v1h-${length}z`;
    }),
  );
  const size = rows.length;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      width="228"
      height="228"
      className="mt-4 max-w-full rounded-control"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={dark.join("")} />
    </svg>
  );
}
