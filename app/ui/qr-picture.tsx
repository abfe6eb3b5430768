import { crc32, deflateSync } from "node:zlib";
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
  const rows = modulesOf(text);
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

/** The same code as a file, for apps that read codes from pictures: a PNG (ISO/IEC 15948) in 8-bit grey. */
export function qrPng(text: string): Buffer<ArrayBuffer> {
  const rows = modulesOf(text, 8);
  // Each row begins with its filter: none.
  const pixels = rows.map((row) => Uint8Array.from([0, ...row.map((isDark) => (isDark ? 0 : 255))]));
  const header = Buffer.concat([uint32(rows.length), uint32(rows.length), Uint8Array.of(8, 0, 0, 0, 0)]);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const data = deflateSync(Buffer.concat(pixels));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND")]);
}

function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const checked = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), checked, uint32(crc32(checked))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function modulesOf(text: string, scale = 1): boolean[][] {
  return encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE, scale });
}
