/** A PDF of one page, with a picture of these bytes: a program that rewrites the document keeps them all. */
export function pdfWith(picture: Buffer): Buffer {
  const length = picture.byteLength;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</I 4 0 R>>>>>>",
    `<</Type/XObject/Subtype/Image/Width ${length}/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Length ${length}>>\nstream\n${picture.toString("latin1")}\nendstream`,
  ];
  let body = "%PDF-1.7\n";
  const offsets = objects.map((object, nth) => {
    const at = body.length;
    body += `${nth + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 5\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, "latin1");
}
