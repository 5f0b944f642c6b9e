import { isJsonObject, parseJson } from '@orch/machinery/json';
import { isScalar, type Scalar, scalarText } from '../values/scalar.ts';
import { compareText } from '../values/text-order.ts';

/**
 * One step of a field path in its canonical text: `f:name` (a field), `k:{"name":"x"}` (the item of a list with these
 * keys, sorted by name), `v:"x"` (the item of a set), `i:0` (an item by position). Equal steps have equal strings, so
 * that texts serve as keys of maps.
 */
export type Element = string;

/** A place in an object, from the root. */
export type FieldPath = readonly Element[];

export const fieldElement = (name: string): Element => `f:${name}`;
export const valueElement = (value: Scalar): Element => `v:${scalarText(value)}`;
export const indexElement = (index: number): Element => `i:${index}`;

/** `pairs` must be sorted by name. */
export function keyElement(pairs: readonly (readonly [name: string, value: Scalar])[]): Element {
  const parts = pairs.map(([name, value]) => `${JSON.stringify(name)}:${scalarText(value)}`);
  return `k:{${parts.join(',')}}`;
}

const string = String.raw`"(?:[^"\\<>&\u0000-\u001f\u2028\u2029]|\\["\\nrt])*"`;
const scalar = `(?:${string}|0|-?[1-9][0-9]{0,14}|true|false|null)`;
const plainKey = new RegExp(`^k:\\{(${string}):${scalar}(?:,(${string}):${scalar})?\\}$`);
const plainValue = new RegExp(`^v:${scalar}$`);

/** Reports whether a string is certainly canonical; those of one or two usual keys are recognised without parsing. */
function isCanonical(text: string): boolean {
  if (text.charCodeAt(0) === 0x76) return plainValue.test(text);
  const match = plainKey.exec(text);
  if (match === null) return false;
  const [, first = '', second] = match;
  return second === undefined || compareText(first, second) < 0;
}

function parseTail(text: string): unknown {
  try {
    return parseJson(Buffer.from(text.slice(2)), { maxDepth: 4 });
  } catch {
    return undefined;
  }
}

/** The keys of a `k:` step, sorted by name; undefined when the text is none. */
export function keyPairs(text: Element): (readonly [name: string, value: Scalar])[] | undefined {
  const keys = parseTail(text);
  if (!isJsonObject(keys)) return undefined;
  const pairs: (readonly [string, Scalar])[] = [];
  for (const [name, value] of Object.entries(keys)) {
    if (!isScalar(value)) return undefined;
    pairs.push([name, value]);
  }
  return pairs.length === 0 ? undefined : pairs.sort(([a], [b]) => compareText(a, b));
}

/** The value of a `v:` step; undefined when the text is none. */
export function elementValue(text: Element): Scalar | undefined {
  const value = parseTail(text);
  return isScalar(value) ? value : undefined;
}

/**
 * Reads a path element as a client wrote it: its canonical text, null when it is malformed, undefined when it is of an
 * unknown kind (later releases may define more; for compatibility those are omitted).
 */
export function readElement(text: string): Element | null | undefined {
  if (text.charCodeAt(1) !== 0x3a) return null;
  switch (text.charCodeAt(0)) {
    case 0x66: // f
      return text;
    case 0x6b: {
      if (isCanonical(text)) return text;
      const pairs = keyPairs(text);
      return pairs === undefined ? null : keyElement(pairs);
    }
    case 0x76: {
      if (isCanonical(text)) return text;
      const value = elementValue(text);
      return value === undefined ? null : valueElement(value);
    }
    case 0x69:
      return /^i:(?:0|-?[1-9][0-9]{0,14})$/.test(text) ? text : null;
    default:
      return undefined;
  }
}

/** The name of an `f:` step; undefined for the others. */
export const elementName = (text: Element): string | undefined =>
  text.charCodeAt(0) === 0x66 ? text.slice(2) : undefined;
