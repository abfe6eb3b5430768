import { brand } from "~/platform/config/brand.server";
import type { DemoDocument, DocumentedPolicy, Sheet } from "~/backend/types";

/** The cover and the exclusions of a policy, as its documents state them. */
interface Cover {
  readonly termsName: string;
  readonly sum: string;
  readonly premium: string;
  readonly covered: readonly string[];
  readonly notCovered: readonly string[];
  /** The subject and the text of the insurer's letter. */
  readonly letter: { readonly name: string; readonly paragraphs: readonly string[] };
}

/** By policy number: the first policies of Anna Nowak, Piotr Wiśniewski and the company. */
const COVERS: Readonly<Record<string, Cover>> = {
  "POL-100001": {
    termsName: "Ogólne warunki ubezpieczenia mieszkania",
    sum: "480 000 zł",
    premium: "486 zł",
    covered: [
      "Ubezpieczenie obejmuje mury i stałe elementy mieszkania oraz rzeczy ruchome: meble, sprzęt i ubrania.",
      "Chroni od ognia, zalania, wichury, przepięcia, włamania i rozboju.",
    ],
    notCovered: [
      "Ubezpieczenie nie obejmuje szkód wyrządzonych umyślnie ani szkód w mieszkaniu niezamieszkanym dłużej niż 60 dni.",
      "Nie obejmuje gotówki ponad 2 000 zł ani dzieł sztuki bez wyceny.",
    ],
    letter: {
      name: "Sprawdź sumę ubezpieczenia mieszkania",
      paragraphs: [
        "Ceny mieszkań i materiałów rosną. Prosimy sprawdzić, czy suma ubezpieczenia nadal wystarczy na odbudowę i zakup nowych rzeczy.",
        "Sumę można podwyższyć w każdej chwili. Wystarczy zadzwonić na infolinię i podać numer polisy.",
      ],
    },
  },
  "POL-100002": {
    termsName: "Ogólne warunki ubezpieczenia OC posiadaczy pojazdów",
    sum: "zgodnie z ustawą o ubezpieczeniach obowiązkowych",
    premium: "742 zł",
    covered: [
      "Ubezpieczenie obejmuje szkody, które kierujący pojazdem wyrządzi innym: w zdrowiu i w mieniu.",
      "Chroni każdego, kto kieruje pojazdem za zgodą posiadacza, w Polsce i w krajach Systemu Zielonej Karty.",
    ],
    notCovered: [
      "Ubezpieczenie nie obejmuje szkód we własnym pojeździe ani w rzeczach w nim przewożonych.",
      "Odszkodowania wypłaconego za szkodę po alkoholu ubezpieczyciel zażąda od kierującego.",
    ],
    letter: {
      name: "Zielona Karta jest bezpłatna",
      paragraphs: [
        "Wybierają się Państwo samochodem poza Unię Europejską? W niektórych krajach potrzebna jest Zielona Karta.",
        "Wydajemy ją bezpłatnie do każdej polisy OC. Wystarczy zadzwonić na infolinię najpóźniej trzy dni przed wyjazdem.",
      ],
    },
  },
  "POL-200003": {
    termsName: "Ogólne warunki ubezpieczenia flot",
    sum: "2 400 000 zł",
    premium: "38 900 zł",
    covered: [
      "Ubezpieczenie obejmuje odpowiedzialność cywilną i uszkodzenie albo utratę 12 pojazdów z wykazu.",
      "Pojazd dokupiony w ciągu roku jest ubezpieczony od dnia zgłoszenia.",
    ],
    notCovered: [
      "Ubezpieczenie nie obejmuje przewożonych ładunków ani zużycia części.",
      "Nie obejmuje pojazdów oddanych w najem bez zgody ubezpieczyciela.",
    ],
    letter: {
      name: "Prosimy o aktualny wykaz pojazdów",
      paragraphs: [
        "Raz w roku sprawdzamy z Państwem wykaz pojazdów floty. Prosimy o przesłanie zmian w ciągu 30 dni.",
        "Pojazdy sprzedane usuwamy z polisy od dnia sprzedaży i zwracamy składkę.",
      ],
    },
  },
};

const TERMS_ISSUED_ON = "2026-01-01";
const FOOTER = "Dokument demonstracyjny: ubezpieczyciel, osoby, firmy i kwoty są zmyślone.";

/** The documents of the demo: a policy, a letter and terms for some of its policies. */
export function demoDocuments(policies: readonly DocumentedPolicy[]): readonly DemoDocument[] {
  return policies.flatMap((policy) => {
    const cover = COVERS[policy.policyNo];
    return cover ? [policyDocument(policy, cover), letter(policy, cover), terms(policy, cover)] : [];
  });
}

function policyDocument(
  policy: DocumentedPolicy,
  { sum, premium, covered, notCovered }: Cover,
): DemoDocument {
  const { policyNo, name, insured, validFrom, validTo } = policy;
  const facts = {
    "Numer polisy": policyNo,
    "Przedmiot ubezpieczenia": name,
    Ubezpieczający: insured,
    "Okres ochrony": `od ${dayInPolish(validFrom)} do ${dayInPolish(validTo)}`,
    "Suma ubezpieczenia": sum,
    "Składka roczna": premium,
  };
  const sections = [
    { header: "Co obejmuje ubezpieczenie", paragraphs: covered },
    { header: "Czego nie obejmuje", paragraphs: notCovered },
  ];
  const sheet = sheetOf(`Polisa ${policyNo}`, facts, sections);
  return { policyNo, kind: "policy", name: "Polisa", issuedOn: validFrom, sheet };
}

function letter({ policyNo, insured, validFrom }: DocumentedPolicy, cover: Cover): DemoDocument {
  const { name, paragraphs } = cover.letter;
  const facts = { "Numer polisy": policyNo, Adresat: insured, "Data pisma": dayInPolish(validFrom) };
  const sections = [
    { header: "Szanowni Państwo", paragraphs: [...paragraphs, "Z poważaniem", brand().name] },
  ];
  return { policyNo, kind: "letter", name, issuedOn: validFrom, sheet: sheetOf(name, facts, sections) };
}

function terms({ policyNo }: DocumentedPolicy, { termsName, covered, notCovered }: Cover): DemoDocument {
  const sections = [
    { header: "§ 1. Zakres ubezpieczenia", paragraphs: covered },
    { header: "§ 2. Wyłączenia", paragraphs: notCovered },
    {
      header: "§ 3. Zgłoszenie szkody",
      paragraphs: [
        "Szkodę należy zgłosić niezwłocznie, najpóźniej w ciągu 7 dni.",
        "Ubezpieczyciel wypłaca odszkodowanie w ciągu 30 dni od zgłoszenia.",
      ],
    },
    {
      header: "§ 4. Reklamacje",
      paragraphs: ["Na reklamację ubezpieczyciel odpowiada w ciągu 30 dni, na piśmie albo e-mailem."],
    },
  ];
  const sheet = sheetOf(termsName, { "Obowiązują od": dayInPolish(TERMS_ISSUED_ON) }, sections);
  return { policyNo, kind: "terms", name: termsName, issuedOn: TERMS_ISSUED_ON, sheet };
}

function sheetOf(title: string, facts: Readonly<Record<string, string>>, sections: Sheet["sections"]): Sheet {
  const { name, colour } = brand();
  return {
    language: "pl",
    title,
    brand: { name, colour },
    facts: Object.entries(facts).map(([term, value]) => ({ term, value })),
    sections,
    footer: FOOTER,
  };
}

/** `2026-03-01` as "1 marca 2026". */
function dayInPolish(day: string): string {
  return new Date(day).toLocaleDateString("pl-PL", { dateStyle: "long", timeZone: "UTC" });
}
