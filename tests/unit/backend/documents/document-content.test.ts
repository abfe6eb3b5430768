import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  contentOpener,
  isSameContent,
  partCount,
  rewrapContent,
  sealContent,
} from "~/backend/secrets/data-key.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";

const root = (version: number) => ({ version, key: Buffer.alloc(32, version) });
const OLD = makeKeyring([root(1)]);
const BOTH = makeKeyring([root(2), root(1)]);
const NEW = makeKeyring([root(2)]);
const ID = "a-document";
/** Three parts, the last one short. */
const CONTENT = randomBytes(600_000);

function openAll(keyring = OLD, sealed = sealContent(OLD, ID, CONTENT), id = ID, bytes = CONTENT.byteLength) {
  const open = contentOpener(keyring, id, sealed, bytes);
  return Buffer.concat(sealed.parts.map((part, nth) => open(nth, part)));
}

describe("the content of a document", () => {
  it.each([0, 1, 262_143, 262_144, 262_145, 600_000])("of %i bytes opens as it was", (bytes) => {
    const content = CONTENT.subarray(0, bytes);
    const sealed = sealContent(OLD, ID, content);
    expect(sealed.parts).toHaveLength(partCount(bytes));
    expect(openAll(OLD, sealed, ID, bytes).equals(content)).toBe(true);
  });

  it("is nowhere in what is stored, and differs each time", () => {
    const content = Buffer.from("SECRET-CANARY ".repeat(100));
    const [one, other] = [sealContent(OLD, ID, content), sealContent(OLD, ID, content)];
    expect(Buffer.concat(one.parts).includes("SECRET-CANARY")).toBe(false);
    expect(one.parts[0]?.equals(other.parts[0] ?? Buffer.alloc(0))).toBe(false);
  });

  it("[S82] opens neither in another document's place, nor with parts in another order, changed or left out", () => {
    const sealed = sealContent(OLD, ID, CONTENT);
    const [first, second] = sealed.parts;
    const changed = Buffer.from(first ?? "");
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    const broken: readonly (() => unknown)[] = [
      () => openAll(OLD, sealed, "another"),
      () => contentOpener(OLD, ID, sealed, CONTENT.byteLength)(0, second ?? Buffer.alloc(0)),
      () => contentOpener(OLD, ID, sealed, CONTENT.byteLength)(0, changed),
      // Claims that the document has only two parts.
      () => contentOpener(OLD, ID, sealed, 500_000)(0, first ?? Buffer.alloc(0)),
      () => openAll(NEW, sealed),
    ];
    for (const open of broken) expect(open).toThrow();
  });

  it("[S84] opens with the new key once its data key is wrapped again, and the parts stay as they are", () => {
    const sealed = sealContent(OLD, ID, CONTENT);
    const moved = { ...sealed, ...rewrapContent(BOTH, ID, sealed) };
    expect(openAll(NEW, moved).equals(CONTENT)).toBe(true);
  });

  it("is recognised as the same while the key that sealed it is there, and never without it", () => {
    const { contentMac } = sealContent(OLD, ID, CONTENT);
    expect(isSameContent(BOTH, contentMac, CONTENT)).toBe(true);
    expect(isSameContent(BOTH, contentMac, CONTENT.subarray(1))).toBe(false);
    expect(isSameContent(NEW, contentMac, CONTENT)).toBe(false);
  });
});
