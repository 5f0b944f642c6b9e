import { Pace, type Work } from '../concurrency/index.ts';
import { hasManyParts } from './extent.ts';
import { isJsonObject, jsonEquals } from './values.ts';

/** Like `jsonEquals`, in pieces. */
export const jsonEqualsInPieces = (a: unknown, b: unknown): Work<boolean> => equal(a, b, new Pace());

function* equal(a: unknown, b: unknown, pace: Pace): Work<boolean> {
  if (a === b) return true;
  if (!hasManyParts(a) || !hasManyParts(b)) return jsonEquals(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return yield* equalItems(a, b, pace);
  return isJsonObject(a) && isJsonObject(b) && (yield* equalFields(a, b, pace));
}

function* equalItems(a: readonly unknown[], b: readonly unknown[], pace: Pace): Work<boolean> {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (pace.isDue()) yield;
    if (!(yield* equal(a[i], b[i], pace))) return false;
  }
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function* equalFields(a: Fields, b: Fields, pace: Pace): Work<boolean> {
  let fields = 0;
  for (const name of Object.keys(a)) {
    if (pace.isDue()) yield;
    if (a[name] === undefined) continue;
    fields += 1;
    if (!Object.hasOwn(b, name)) return false;
    // Most values are the same or short.
    if (a[name] !== b[name] && !(yield* equal(a[name], b[name], pace))) return false;
  }
  yield;
  for (const name of Object.keys(b)) {
    if (pace.isDue()) yield;
    if (b[name] !== undefined) fields -= 1;
  }
  return fields === 0;
}
