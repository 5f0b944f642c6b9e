import { errors } from '@orch/machinery';

/**
 * The first value of a query parameter, decoded; undefined when it is absent. For the few parameters that the pipeline
 * reads without parsing the whole query.
 */
export function queryValue(rawQuery: string, name: string): string | undefined {
  if (rawQuery === '' || !mayContain(rawQuery, name)) return undefined;
  // The platform's parser drops a question mark at the start, which belongs to the first name.
  return new URLSearchParams(`&${rawQuery}`).get(name) ?? undefined;
}

/** False when the parameter is certainly absent. An encoded name contains a `%`, which requires the full parser. */
const mayContain = (rawQuery: string, name: string): boolean =>
  rawQuery.includes(name) || rawQuery.includes('%');

/**
 * A flag: absent, `0` and `false` are false, everything else is true, the empty value too (`?watch`), as in other
 * servers of the ecosystem.
 */
export function queryFlag(rawQuery: string, name: string): boolean {
  const value = queryValue(rawQuery, name);
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}

/** Decoded query parameters. Names may repeat; `get` returns the first value. */
export interface Query {
  get(name: string): string | undefined;
  all(name: string): readonly string[];
  has(name: string): boolean;
}

const none: readonly string[] = Object.freeze([]);

export const emptyQuery: Query = Object.freeze({
  get: () => undefined,
  all: () => none,
  has: () => false,
});

/** Reads `a=1&b=2`. Throws a 400 `ApiError` on a malformed percent-encoding. */
export function parseQuery(raw: string): Query {
  if (raw === '') return emptyQuery;
  const values = new Map<string, string[]>();
  for (const pair of raw.split('&')) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decode(split === -1 ? pair : pair.slice(0, split));
    const value = split === -1 ? '' : decode(pair.slice(split + 1));
    const list = values.get(name);
    if (list === undefined) values.set(name, [value]);
    else list.push(value);
  }
  return {
    get: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? none,
    has: (name) => values.has(name),
  };
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw errors.malformedRequest(
      `the query contains an invalid percent-encoding: ${JSON.stringify(text.slice(0, 100))}`,
    );
  }
}

/** A boolean parameter: absent is false; present is true except for the values `false` and `0`. */
export function booleanParameter(query: Query, name: string): boolean {
  return optionalBoolean(query, name) ?? false;
}

/** As `booleanParameter`, undefined when absent. */
export function optionalBoolean(query: Query, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  return text !== '0' && text.toLowerCase() !== 'false';
}

const INT64_MAX = 2n ** 63n - 1n;

/**
 * A whole number of 64 bits, one beyond 2^53 as the nearest number; undefined when absent or empty. Throws a 400 `ApiError` on
 * anything else.
 */
export function integerParameter(query: Query, name: string): number | undefined {
  const text = query.get(name);
  if (text === undefined || text === '') return undefined;
  if (!isInt64(text)) {
    throw errors.malformedRequest(
      `parameter ${name} must be an integer, not ${JSON.stringify(text.slice(0, 64))}`,
    );
  }
  return Number(text);
}

function isInt64(text: string): boolean {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return false;
  const value = BigInt(text.replace('+', ''));
  return value <= INT64_MAX && value >= -INT64_MAX - 1n;
}
