import { Pace, type Work } from '../concurrency/index.ts';
import { hasManyParts } from './extent.ts';
import { cloneJson, setField } from './values.ts';
import { noteWidth } from './width.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Another object with the same values, in pieces. */
export function* copyFieldsInPieces(object: Fields): Work<Record<string, unknown>> {
  const pace = new Pace();
  const copy: Record<string, unknown> = {};
  const names = Object.keys(object);
  noteWidth(copy, names.length);
  for (const name of names) {
    if (pace.isDue()) yield;
    setField(copy, name, object[name]);
  }
  return copy;
}

/** Like `cloneJson`, in pieces. */
export function* cloneJsonInPieces<T>(value: T): Work<T> {
  return (yield* clone(value, new Pace())) as T;
}

function* clone(value: unknown, pace: Pace): Work<unknown> {
  if (!hasManyParts(value)) return cloneJson(value);
  return yield* Array.isArray(value) ? cloneItems(value, pace) : cloneFields(value as Fields, pace);
}

function* cloneItems(list: readonly unknown[], pace: Pace): Work<unknown[]> {
  const copy: unknown[] = [];
  for (const item of list) {
    if (pace.isDue()) yield;
    copy.push(hasManyParts(item) ? yield* clone(item, pace) : cloneJson(item));
  }
  return copy;
}

function* cloneFields(object: Fields, pace: Pace): Work<Record<string, unknown>> {
  const copy: Record<string, unknown> = {};
  const names = Object.keys(object);
  noteWidth(copy, names.length);
  for (const name of names) {
    if (pace.isDue()) yield;
    const value = object[name];
    setField(copy, name, hasManyParts(value) ? yield* clone(value, pace) : cloneJson(value));
  }
  return copy;
}
