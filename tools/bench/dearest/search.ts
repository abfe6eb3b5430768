import { percentile } from "../percentile";
import { priceOf, type Exactness, type Price, type Target } from "./price";
import { mutated, randomRecipe, REFERENCE, type Ingredients } from "./random-recipe";
import type { Recipe } from "./recipe";

/** A request and its price. */
export interface Priced extends Price {
  readonly recipe: Recipe;
}

/** The result of the search. */
export interface Findings {
  /** The dearest request of each kind of address, dearest first; none that hashes a password. */
  readonly dearest: readonly Priced[];
  /** The dearest request that hashes a password; its price is without the hash. */
  readonly hashing: Priced | undefined;
  /** Price of the sign-in page rendered, in ms. */
  readonly referenceMs: number;
  /** How many different requests were tried. */
  readonly tried: number;
}

/** How long to search, and how exactly to weigh the findings. */
export interface SearchOptions {
  readonly seconds: number;
  /** The clock that times the search, in ms. */
  readonly now: () => number;
  readonly finalists: number;
  readonly winners: number;
  /** A final price is over at least so much processor time. */
  readonly exactCpuMs: number;
}

/** The share of the time for requests made up from nothing, before and while the search climbs. */
const EXPLORING = 0.35;
/** Of this many requests, drawn at random, the dearest is changed further: so dearer ones are changed more often. */
const TOURNAMENT = 4;
const HASHING_FINALISTS = 3;

const ROUGHLY: Exactness = { leastCpuMs: 60, mostRequests: 60 };

/** Looks for dear requests: random ones first, then the dearest of each kind of address, changed again and again. */
export async function search(
  target: Target,
  ingredients: Ingredients,
  { seconds, now, finalists, winners, exactCpuMs }: SearchOptions,
): Promise<Findings> {
  const began = now();
  const until = began + seconds * 1000;
  const exploreUntil = began + seconds * 1000 * EXPLORING;
  const best = new Map<string, Priced>();
  const bestHashing = new Map<string, Priced>();
  let tried = 0;
  while (now() < until) {
    const recipe =
      now() < exploreUntil || best.size < TOURNAMENT || ingredients.dice.happens(EXPLORING)
        ? randomRecipe(ingredients)
        : climbed([...best.values()], ingredients);
    const priced = { recipe, ...(await priceOf(target, recipe, ROUGHLY)) };
    tried += 1;
    keepIfDearer(priced.hashes > 0 ? bestHashing : best, priced);
  }
  const final = await weighed(target, dearestFirst([...best.values()]).slice(0, finalists), exactCpuMs);
  const hashing = await weighed(
    target,
    dearestFirst([...bestHashing.values()]).slice(0, HASHING_FINALISTS),
    exactCpuMs,
  );
  return {
    // A request that hashes only now and then may not have done so when it was found.
    dearest: dearestFirst(final.priced.filter(({ hashes }) => hashes === 0)).slice(0, winners),
    hashing: dearestFirst(hashing.priced)[0],
    referenceMs: final.referenceMs,
    tried,
  };
}

function keepIfDearer(best: Map<string, Priced>, priced: Priced): void {
  const { place } = priced.recipe;
  if (priced.cpuMs > (best.get(place)?.cpuMs ?? 0)) best.set(place, priced);
}

function climbed(known: readonly Priced[], ingredients: Ingredients): Recipe {
  const entrants = Array.from({ length: TOURNAMENT }, () => ingredients.dice.one(known));
  const [parent] = dearestFirst(entrants);
  const other = ingredients.dice.one(known);
  return mutated((parent ?? other).recipe, other.recipe, ingredients);
}

/**
 * Prices the finalists again, because a rough price favours requests that were lucky; the reference takes its turns
 * between them.
 */
async function weighed(target: Target, finalists: readonly Priced[], leastCpuMs: number) {
  const exactly: Exactness = { leastCpuMs, mostRequests: leastCpuMs };
  const references: number[] = [];
  const priced: Priced[] = [];
  for (const { recipe } of finalists) {
    references.push((await priceOf(target, REFERENCE, exactly)).cpuMs);
    const price = await priceOf(target, recipe, exactly);
    priced.push({ recipe, ...price });
  }
  return { referenceMs: percentile(references, 50), priced };
}

function dearestFirst(priced: readonly Priced[]): readonly Priced[] {
  return [...priced].sort((one, other) => other.cpuMs - one.cpuMs);
}
