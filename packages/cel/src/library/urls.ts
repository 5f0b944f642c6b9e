import type { Evaluation } from '../functions/evaluation.ts';
import { type Library, member, overload } from '../functions/overload.ts';
import * as types from '../types/type.ts';
import { ArrayList, EntryMap } from '../values/collections.ts';
import { EvaluationError } from '../values/evaluation-error.ts';
import { OpaqueValue } from '../values/value.ts';
import { type CostRule, constantCost, traversal, workPerUnit } from './costs.ts';
import { hostname, parseUrl, port, queryValues, type UrlParts } from './text/url-parts.ts';

const TYPE = 'kubernetes.URL';
/** Work of reading a character of a URL or a query. */
const UNIT_WORK = 15;
const urlType = types.opaque(TYPE);

class UrlValue extends OpaqueValue {
  readonly typeName = TYPE;
  readonly text: string;
  readonly parts: UrlParts;
  constructor(text: string, parts: UrlParts) {
    super();
    this.text = text;
    this.parts = parts;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

/** The problem of a string as a URL; undefined when it is valid. */
export function urlProblem(text: string): string | undefined {
  const strict = parseUrl(text, { fragments: false });
  return typeof strict === 'string' ? strict : undefined;
}

function url(text: string): UrlValue {
  const problem = urlProblem(text);
  const parts = problem ?? parseUrl(text, { fragments: true });
  if (typeof parts === 'string')
    throw new EvaluationError(`URL parse error during conversion from string: ${parts}`);
  return new UrlValue(text, parts);
}

function query({ parts }: UrlValue, evaluation: Evaluation): EntryMap {
  evaluation.work(150 + parts.query.length * UNIT_WORK);
  const result = new EntryMap();
  for (const [name, values] of queryValues(parts.query)) result.add(name, new ArrayList(values));
  return result;
}

const { bool, list, map, string } = types;
const constant = constantCost(1);
const parsing = workPerUnit(UNIT_WORK, { base: 150 });

/** The host is read again. */
const hostRule: CostRule = {
  ...constant,
  work: ([url]) => 30 + (url instanceof UrlValue ? url.parts.host.length >> 2 : 0),
};

const part = (id: string, get: (parts: UrlParts) => string, rule: CostRule = constant) => [
  member(id, [[urlType], string], ({ parts }: UrlValue) => get(parts), rule),
];

export const urls: Library = {
  name: 'urls',
  functions: {
    url: [overload('string_to_url', [[string], urlType], url, traversal({ keepsSize: true, work: parsing }))],
    isURL: [
      overload('is_url_string', [[string], bool], (text: string) => urlProblem(text) === undefined, {
        work: parsing,
        cost: () => 1,
      }),
    ],
    getScheme: part('url_get_scheme', ({ scheme }) => scheme),
    getHost: part('url_get_host', ({ host }) => host),
    getHostname: part('url_get_hostname', ({ host }) => hostname(host), hostRule),
    getPort: part('url_get_port', ({ host }) => port(host), hostRule),
    getEscapedPath: part('url_get_escaped_path', ({ escapedPath }) => escapedPath),
    getQuery: [member('url_get_query', [[urlType], map(string, list(string))], query, constant)],
  },
};
