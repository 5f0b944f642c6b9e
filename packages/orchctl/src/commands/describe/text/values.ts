import type { ObjectMeta } from '@orch/machinery';
import type { LabelSelectorObject } from '@orch/machinery/selectors';

/** Text of a value, or a placeholder. */
export const orNone = (text: string | undefined): string =>
  text === undefined || text === '' ? '<none>' : text;

export const orUnset = (value: string | number | undefined | null): string =>
  value === undefined || value === null || value === '' ? '<unset>' : String(value);

/** An absent amount is 0. */
export const amount = (quantity: string | undefined): string => quantity ?? '0';

export const titleBool = (value: boolean | undefined): string =>
  value === undefined ? '<unset>' : value ? 'True' : 'False';

/** Values as Go prints them: lists as `[a b]`, maps as `map[a:1]`, absent ones as `<nil>`. */
export function goText(value: unknown): string {
  if (value === undefined || value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const pairs = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[${pairs.map(([key, one]) => `${key}:${goText(one)}`).join(' ')}]`;
}

export const goList = (values: readonly unknown[] | undefined): string => goText(values ?? []);

type Labels = Readonly<Record<string, string>>;

/** `a=1` for each entry, sorted. */
export const pairsOf = (map: Labels | undefined): readonly string[] =>
  Object.entries(map ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .toSorted();

/** `a=1,b=2`. */
export const mapText = (map: Labels | undefined): string => orNone(pairsOf(map).join(','));

const operators: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** The text of a selector, as in requests; empty for one that selects nothing or everything. */
export function selectorText(selector: LabelSelectorObject | null | undefined): string {
  const { matchLabels, matchExpressions } = selector ?? {};
  const texts: [string, string][] = [
    ...Object.entries(matchLabels ?? {}).map(([key, value]): [string, string] => [key, `${key}=${value}`]),
    ...(matchExpressions ?? []).map(({ key = '', operator = '', values }): [string, string] => [
      key,
      operators[operator]?.(key, (values ?? []).toSorted().join(',')) ?? '',
    ]),
  ];
  return sortedBy(texts, ([key]) => key)
    .map(([, text]) => text)
    .join(',');
}

/** `Kind/name` of the controller among the owners; undefined without one. */
export function controllerText({ ownerReferences = [] }: ObjectMeta): string | undefined {
  const owner = ownerReferences.find(({ controller }) => controller === true);
  return owner === undefined ? undefined : `${owner.kind}/${owner.name}`;
}

const byCharacters = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Entries sorted by key. */
export const sortedEntries = <T>(map: Readonly<Record<string, T>> | undefined): readonly [string, T][] =>
  Object.entries(map ?? {}).toSorted(([a], [b]) => byCharacters(a, b));

export const sortedBy = <T>(items: readonly T[] | undefined, keyOf: (item: T) => string): readonly T[] =>
  (items ?? []).toSorted((a, b) => byCharacters(keyOf(a), keyOf(b)));

/** Go quotes text as JSON does, for the characters that occur here. */
export const quoted = (text: string): string => JSON.stringify(text);

/** `host:port`, with brackets around IPv6 addresses. */
export const hostAndPort = (host: string, port: number | string): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
