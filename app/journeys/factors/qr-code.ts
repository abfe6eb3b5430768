import encodeQR from "qr";

/** A QR code as one path, in a square of so many units, its quiet zone included. */
export interface QrCode {
  readonly size: number;
  readonly path: string;
}

/** Four modules, as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4;

/** Makes the QR code of a text. */
export function qrCode(text: string): QrCode {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size: rows.length, path: dark.join("") };
}
