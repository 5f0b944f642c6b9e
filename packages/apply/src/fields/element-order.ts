import { atOnce, byUnits, Pace, sortInPieces, type Work } from '@orch/machinery/concurrency';
import { compareScalars } from '../values/scalar.ts';
import { compareText } from '../values/text-order.ts';
import { type Element, elementValue, keyPairs } from './element.ts';

const kinds = 'fkvi';
const kindRank = (element: Element): number => kinds.indexOf(element.charAt(0));

function compareKeys(a: Element, b: Element): number {
  const [left, right] = [keyPairs(a) ?? [], keyPairs(b) ?? []];
  for (let i = 0; ; i++) {
    const x = left[i];
    const y = right[i];
    if (x === undefined || y === undefined) return left.length - right.length;
    const order = compareText(x[0], y[0]) || compareScalars(x[1], y[1]);
    if (order !== 0) return order;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/**
 * Compares two `k:` or `v:` strings without parsing them, when the first difference is inside a string or a natural number
 * in both; undefined otherwise, or when escapes are near.
 */
function compareQuickly(a: Element, b: Element): number | undefined {
  let inside = false;
  const length = Math.min(a.length, b.length);
  for (let i = 2; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === BACKSLASH || y === BACKSLASH) return undefined;
    if (x === y) {
      if (x === QUOTE) inside = !inside;
      continue;
    }
    if (!inside) return compareNaturals(a, b, i);
    if (x === QUOTE) return -1;
    return y === QUOTE ? 1 : compareText(a.slice(i, i + 2), b.slice(i, i + 2));
  }
  return undefined;
}

/** Digits of numbers that doubles hold exactly. */
const MAX_DIGITS = 15;

/** Compares two natural numbers that differ at a position; undefined when one of them is another scalar. */
function compareNaturals(a: Element, b: Element, at: number): number | undefined {
  let start = at;
  while (isDigit(a.charCodeAt(start - 1))) start--;
  const before = a.charCodeAt(start - 1);
  // After a colon or at the beginning of the step: no sign, fraction or exponent.
  if (before !== 0x3a) return undefined;
  const [m, n] = [naturalAt(a, start), naturalAt(b, start)];
  return m === undefined || n === undefined ? undefined : m - n;
}

function naturalAt(element: Element, start: number): number | undefined {
  let end = start;
  while (isDigit(element.charCodeAt(end))) end++;
  const after = element.charAt(end);
  const isWhole = after === '' || after === ',' || after === '}';
  return end > start && end - start <= MAX_DIGITS && isWhole ? Number(element.slice(start, end)) : undefined;
}

const FIELD = 0x66;

/** The order of steps in a serialised set: fields, keys, values, positions; each kind by its content. */
export function compareElements(a: Element, b: Element): number {
  if (a === b) return 0;
  // Nearly all steps are fields.
  if (a.charCodeAt(0) === FIELD && b.charCodeAt(0) === FIELD) return compareText(a, b);
  const rank = kindRank(a);
  const byKind = rank - kindRank(b);
  if (byKind !== 0) return byKind;
  if (rank === 3) return Number(a.slice(2)) - Number(b.slice(2));
  const quick = compareQuickly(a, b);
  if (quick !== undefined) return quick;
  if (rank === 1) return compareKeys(a, b);
  return compareScalars(elementValue(a) ?? null, elementValue(b) ?? null);
}

/** Shorter lists are compared as quickly as they are examined. */
const MANY = 64;
/** Elements of the same kind that are sorted at once: less than a millisecond. */
const RUN = 8192;
/** The part that fields, values or items with one string as key have in common. */
const beginning = /^(?:f:|v:"|k:\{"[^"\\]*":")/;
/** Names without surrogates: units are in the order of code points. */
const restOfField = /[^\ud800-\udfff]*$/y;
/** Text without escapes and without characters before the quote, which ends it: shorter texts are first. */
const restOfString = /[#-[\]-~]*"\}?$/y;

/** Reports whether the order of the elements of a long list is that of their units: they mostly begin alike. */
function* areByUnits(elements: readonly Element[], pace: Pace): Work<boolean> {
  const start = beginning.exec(elements[0] ?? '')?.[0];
  if (start === undefined) return false;
  const rest = start === 'f:' ? restOfField : restOfString;
  for (const element of elements) {
    if (pace.isDue()) yield;
    rest.lastIndex = start.length;
    if (!element.startsWith(start) || !rest.test(element)) return false;
  }
  return true;
}

/** Elements in their order. Sets are nearly always in order already, which costs one pass to see. */
export function sortedElements(elements: Iterable<Element>): readonly Element[] {
  const list = [...elements];
  if (list.length >= MANY && atOnce(areByUnits(list, new Pace()))) return list.sort();
  for (let i = 1; i < list.length; i++) {
    if (compareElements(list[i - 1] ?? '', list[i] ?? '') > 0) return list.sort(compareElements);
  }
  return list;
}

/** Like `sortedElements`, in pieces. */
export function* sortingElements(
  elements: Iterable<Element>,
  pace: Pace = new Pace(),
): Work<readonly Element[]> {
  const list = [...elements];
  const isByUnits = list.length >= MANY && (yield* areByUnits(list, pace));
  return isByUnits
    ? yield* sortInPieces(list, byUnits, { pace, run: RUN })
    : yield* sortInPieces(list, compareElements, { pace });
}
