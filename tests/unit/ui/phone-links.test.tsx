import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { PhoneLinks } from "~/ui/phone";

const PHONES = ["22\u00a0100\u00a020\u00a030", "800\u00a0100\u00a0200"] as const;
const [PAID, FREE] = PHONES;

const render = (text: string, phones: readonly string[] = PHONES) =>
  renderToStaticMarkup(<PhoneLinks text={text} phones={phones} />);
const plain = (markup: string) => markup.replace(/<[^>]+>/g, "");
const links = (markup: string) =>
  [...markup.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g)].map(([, href, words]) => [href, words]);

it("[F11] the numbers in a text become links that dial them; the text itself stays as it is", () => {
  const text = `Infolinia: ${PAID} lub ${FREE} (bezpłatnie).`;
  const markup = render(text);
  expect(plain(markup)).toBe(text);
  expect(links(markup)).toEqual([
    ["tel:+48221002030", PAID],
    ["tel:+48800100200", FREE],
  ]);
});

it.each([PAID, `${PAID}${FREE}`, `${FREE}, ${FREE}`])(
  "[F11] numbers become links wherever they stand: %j",
  (text) => {
    expect(plain(render(text))).toBe(text);
    expect(links(render(text))).toHaveLength(text.match(/22|800/g)?.length ?? 0);
  },
);

it.each(["", "POL-100001", "12\u00a0345\u00a067\u00a089", "22 100 20 30"])(
  "[F11] nothing else becomes a link: %j",
  (text) => {
    expect(render(text)).toBe(text);
  },
);
