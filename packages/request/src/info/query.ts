/**
 * The first value of a query parameter, decoded; undefined when it is absent. For the few parameters that the pipeline
 * looks at itself, without parsing the whole query.
 */
export function queryValue(rawQuery: string, name: string): string | undefined {
  if (rawQuery === '' || !mayHold(rawQuery, name)) return undefined;
  return new URLSearchParams(rawQuery).get(name) ?? undefined;
}

/** False when the parameter is certainly absent. An encoded name needs a `%`, which sends the caller to the full parser. */
const mayHold = (rawQuery: string, name: string): boolean =>
  rawQuery.includes(name) || rawQuery.includes('%');

/**
 * A flag: absent, `0` and `false` mean no, everything else yes, the empty value too (`?watch`). This is how the
 * ecosystem's servers read flags.
 */
export function queryFlag(rawQuery: string, name: string): boolean {
  const value = queryValue(rawQuery, name);
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}
