import { describe, expect, it } from "vitest";
import { weaknessOf } from "~/contract/rules/weak-password";

const KNOWN = ["Tarnea Ubezpieczenia", "anna.nowak", "POL-200001", "Olena Shevchenko"];

const EASY = [
  "Password123!",
  "Haslo123456!",
  "Hasło123456!",
  "P@ssw0rd2024",
  "Mateusz1998!",
  "Kochanie2026!",
  "Warszawa1944!",
  "Qwertyuiop1!",
  "1qaz@WSX3edc",
  "Zaq12wsx!234",
  "Polska-Polska1",
  "Aaaaaaaaaaa1!",
  "Abcdefghijk1!",
];

const PERSONAL = [
  "anna.nowak1!A",
  "AnnaNowak-1234",
  "@nn4.n0wak-XY",
  "Tarnea2026!!!",
  "Tarnea-Polisa1",
  "Pol-200001-Zkwq",
  "Xq!POL-200001",
  "Olena.Shevchenko1!",
];

const HARD = [
  "trzy mokre Koty 9!",
  "Demo-Haslo-2026",
  "vK8#mQz!2pLw",
  "Korba-jeżyna-tramwaj-5",
  "ŻółćGęśląJaźń7!",
  "👩‍🚒Smoczyca-wierzba7",
];

describe("[S80] advice on passwords that are easy to guess", () => {
  it.each(EASY)("%s is made of common words and patterns", (password) => {
    expect(weaknessOf(password, KNOWN)).toBe("common");
  });

  it.each(PERSONAL)("%s holds what an attacker knows about the customer", (password) => {
    expect(weaknessOf(password, KNOWN)).toBe("personal");
  });

  it.each(HARD)("%s is not advised against", (password) => {
    expect(weaknessOf(password, KNOWN)).toBeUndefined();
  });

  it("a short name within another word is no reason for advice", () => {
    expect(weaknessOf("Joanna-wierzba-tramwaj-5", ["anna"])).toBeUndefined();
  });

  it("can't tell that a password is personal if nothing is known about the customer", () => {
    expect(weaknessOf("anna.nowak-1!A-zkwq", [])).toBeUndefined();
  });
});
