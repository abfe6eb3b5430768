import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CookieJar } from "~/visit/backend-client/attached-cookies";

const WITHHELD = ["accepted-cookies", "flow"];

function jarOf(header: string | null) {
  const relayed: string[] = [];
  return { jar: new CookieJar(header, WITHHELD, (line) => relayed.push(line)), relayed };
}

const answer = (...setCookies: string[]) => ({ status: 200, headers: {}, setCookies, body: "" });

describe("the backend's cookies during a request", () => {
  it("are those the browser sent, except the portal's own", () => {
    const { jar, relayed } = jarOf("accepted-cookies=true; session=abc; flow=sealed; browser=def");
    expect(jar.header).toBe("session=abc; browser=def");
    expect(jar.has("session")).toBe(true);
    expect(jar.has("flow")).toBe(false);
    expect(relayed).toEqual([]);
  });

  it("are none if the browser sent none", () => {
    for (const header of [null, "", ";", "; ;", "=", "flow=sealed"])
      expect(jarOf(header).jar.header).toBe("");
  });

  it("change for later calls, and are relayed to the browser", () => {
    const { jar, relayed } = jarOf("session=old");
    jar.apply(answer("session=new; Path=/; HttpOnly", "browser=b; Path=/; HttpOnly"));
    expect(jar.header).toBe("session=new; browser=b");
    expect(relayed).toEqual(["session=new; Path=/; HttpOnly", "browser=b; Path=/; HttpOnly"]);
  });

  it.each([
    "session=; Max-Age=0; Path=/",
    "session=x; max-age=0",
    "session=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/",
  ])("are removed by %j", (line) => {
    const { jar, relayed } = jarOf("session=old; browser=b");
    jar.apply(answer(line));
    expect(jar.has("session")).toBe(false);
    expect(jar.header).toBe("browser=b");
    expect(relayed).toEqual([line]);
  });

  it("with a Max-Age that merely contains a zero are kept", () => {
    const { jar } = jarOf(null);
    jar.apply(answer("trusted-device=t; Max-Age=2592000; Path=/", "session=s; Max-Age=05"));
    expect(jar.header).toBe("trusted-device=t; session=s");
  });

  it("are relayed to the browser once, even if several calls of a request set them", () => {
    const { jar, relayed } = jarOf(null);
    for (let nth = 0; nth < 3; nth += 1) jar.apply(answer("browser=b; Path=/"));
    jar.apply(answer("browser=c; Path=/"));
    expect(relayed).toEqual(["browser=b; Path=/", "browser=c; Path=/"]);
  });

  it("[S53] cannot change the portal's own, under either name and in any spelling", () => {
    const { jar, relayed } = jarOf("__Host-flow=old; __HOST-FLOW=older; session=s");
    expect(jar.header).toBe("session=s");
    jar.apply(answer("__Host-flow=planted; Path=/", "__host-Accepted-Cookies=true", "FLOW=planted"));
    expect(jar.header).toBe("session=s");
    expect(relayed).toEqual([]);
  });

  it("stay unchanged, even invalid ones set by another application on this host", () => {
    for (const header of ['a=with space; b="quoted"', "c=\u00fc", "d=%zz", "e=1=2=3", "f=a,b"]) {
      expect(jarOf(header).jar.header).toBe(header);
    }
  });

  it("always make a header that can be sent", () => {
    const latin1 = fc.string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(latin1, (header) => {
        expect(() => new Headers({ Cookie: jarOf(header).jar.header })).not.toThrow();
      }),
    );
  });

  it("named like properties of every object work like any other", () => {
    const { jar } = jarOf("__proto__=1; toString=2; constructor=3");
    expect(jar.header.split("; ").toSorted()).toEqual(["__proto__=1", "constructor=3", "toString=2"]);
    expect(jarOf("session=s").jar.has("toString")).toBe(false);
  });
});
