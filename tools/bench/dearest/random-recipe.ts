import { randomAddress, randomQuery } from "./addresses";
import { randomBody } from "./bodies";
import type { Dice } from "./dice";
import { randomCookies, randomHeaders } from "./heads";
import { NTH, type Recipe } from "./recipe";

/** The material for random requests. */
export interface Ingredients {
  readonly dice: Dice;
  /** The portal's. */
  readonly origin: string;
  /** Cookies, each `name=value`, that the portal has set for an anonymous visitor. */
  readonly real: readonly string[];
}

/** The sign-in page at an address that can't be in memory: the price of rendering one page. */
export const REFERENCE: Recipe = {
  place: "reference",
  method: "GET",
  path: "/home",
  query: `x=${NTH}`,
  headers: {},
  cookies: ["accepted-cookies=true", `browser=${"b".repeat(43)}`],
  body: undefined,
};

/** A request made up from nothing. */
export function randomRecipe({ dice, origin, real }: Ingredients): Recipe {
  const address = randomAddress(dice);
  return {
    ...address,
    query: randomQuery(dice),
    headers: randomHeaders(dice, origin),
    cookies: randomCookies(dice, real),
    body: randomBody(dice, address),
  };
}

type Change = (recipe: Recipe, ingredients: Ingredients, other: Recipe) => Recipe;

const CHANGES: readonly Change[] = [
  (recipe, { dice }) => ({ ...recipe, query: randomQuery(dice) }),
  (recipe, { dice, origin }) => ({ ...recipe, headers: randomHeaders(dice, origin) }),
  (recipe, { dice, origin }) => ({
    ...recipe,
    headers: { ...recipe.headers, ...randomHeaders(dice, origin) },
  }),
  (recipe, { dice, real }) => ({ ...recipe, cookies: randomCookies(dice, real) }),
  (recipe, { dice, real }) => ({ ...recipe, cookies: [...recipe.cookies, ...randomCookies(dice, real)] }),
  (recipe, { dice }) => ({ ...recipe, body: randomBody(dice, recipe) }),
  (recipe, _, { headers }) => ({ ...recipe, headers }),
  (recipe, _, { cookies }) => ({ ...recipe, cookies }),
  (recipe, _, { body }) => ({ ...recipe, body: recipe.body && (body ?? recipe.body) }),
  (recipe, _, { query }) => ({ ...recipe, query }),
  (recipe) => ({ ...recipe, cookies: [...recipe.cookies, ...recipe.cookies] }),
  (recipe) => ({ ...recipe, query: recipe.query + recipe.query }),
  (recipe) => ({
    ...recipe,
    body: recipe.body && { ...recipe.body, text: recipe.body.text + recipe.body.text },
  }),
  (recipe) => ({ ...recipe, body: recipe.body && { ...recipe.body, text: halfOf(recipe.body.text) } }),
  (recipe) => ({ ...recipe, query: halfOf(recipe.query) }),
  (recipe) => ({ ...recipe, path: recipe.path + recipe.path.slice(recipe.path.lastIndexOf("/")) }),
];

/** The recipe with one to three things changed, some of them taken from another one. */
export function mutated(recipe: Recipe, other: Recipe, ingredients: Ingredients): Recipe {
  const { dice } = ingredients;
  let changed = recipe;
  for (let left = 1 + Math.floor(dice.roll() * 3); left > 0; left -= 1)
    changed = dice.one(CHANGES)(changed, ingredients, other);
  return changed;
}

function halfOf(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}
