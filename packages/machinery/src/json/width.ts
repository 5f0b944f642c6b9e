import { isExactNumber } from './exact-number.ts';

/** Objects with fewer fields are listed in less than a millisecond. */
export const WIDE = 4096;

/** Each stage of work on so many bytes takes a millisecond or more. */
const LARGE_BYTES = 64 * 1024;

/**
 * Whether the stages of work on an object of so many bytes are done in separate turns, between which other requests are
 * served. The stages of smaller ones together take less time than a turn.
 */
export const isLarge = (bytes: number): boolean => bytes >= LARGE_BYTES;

const widths = new WeakMap<object, number>();

/**
 * Remembers the maximum number of fields of an object, when it is large. The runtime lists all names of an object at
 * once, so work on untrusted objects has to know their number in advance.
 */
export function noteWidth(object: object, fields: number): void {
  if (fields >= WIDE) widths.set(object, fields);
}

/** The maximum number of fields of an object that was parsed; undefined when it is small or unknown. */
export const widthOf = (object: object): number | undefined => widths.get(object);

/** Notes the widths of all objects in a JSON value. */
export function noteWidths(value: unknown): void {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) noteWidths(item);
    return;
  }
  let fields = 0;
  for (const name in value) {
    fields += 1;
    noteWidths((value as Readonly<Record<string, unknown>>)[name]);
  }
  noteWidth(value, fields);
}
