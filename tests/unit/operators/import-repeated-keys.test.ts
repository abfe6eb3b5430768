import { describe, expect, it } from "vitest";
import { repeatedKey } from "~/backend/import/line-problems.server";

describe("[S123] a key that an object of a line has twice", () => {
  it.each([
    ['{"policyNo":"A","policyNo":"B"}', "policyNo"],
    ['{"policyNo":"A","policyNo":"A"}', "policyNo"],
    ['{"a":{"b":[{"c":1,"d":[],"c":2}]}}', "c"],
    ['{"a":{"a":1},"b":[{"a":1},{"a":1}],"a":2}', "a"],
    ['{ "a" :1,\t"a"\r\n:2}', "a"],
    ['{"a\\u0062":1,"ab":2}', "ab"],
    ['{"a\\"":1,"a\\u0022":2}', 'a"'],
    ['{"\\\\":1,"b":2,"\\\\":3}', "\\"],
    ['{"":1,"":2}', ""],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ])("is found: %s", (json, key) => {
    expect(JSON.parse(json)).toBeTypeOf("object");
    expect(repeatedKey(json)).toBe(key);
  });

  it.each([
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
    '{"a":"b","b":"a","c":["a","a","b"]}',
    '{"a":"{\\"a\\":1,\\"a\\":2}","b":"\\\\","c":"\\\\\\""}',
    '{"a":"\\"a\\":","b":": a :"}',
    '{"a":1,"A":2,"a ":3}',
    "[[],{}]",
    '"a"',
    "12",
  ])("is not seen where there is none: %s", (json) => {
    expect(JSON.parse(json)).toBeDefined();
    expect(repeatedKey(json)).toBeUndefined();
  });

  it("is found below any depth, and in a line of any length", () => {
    const deep = "[".repeat(400_000);
    expect(repeatedKey(`${deep}{"a":1,"a":2}${deep.replaceAll("[", "]")}`)).toBe("a");
    expect(repeatedKey(`{"a":"${'\\"'.repeat(400_000)}","a":1}`)).toBe("a");
  });
});
