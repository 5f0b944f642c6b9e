/**
 * The first value of a query parameter, decoded; undefined when it is absent. For the few parameters that the pipeline
 * reads without parsing the whole query.
 */
export function queryValue(rawQuery: string, name: string): string | undefined {
  if (rawQuery === '' || !mayContain(rawQuery, name)) return undefined;
  return new URLSearchParams(rawQuery).get(name) ?? undefined;
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
