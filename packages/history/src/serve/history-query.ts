import { errors } from '@orch/machinery';
import { timeMs } from '@orch/machinery/time';
import {
  type ApiRequest,
  emptyQuery,
  historyPageSize,
  integerParameter,
  parseQuery,
  type Query,
} from '@orch/request';
import type { Revision } from '@orch/storage';

/** A position in a history. */
export type Moment =
  | { readonly kind: 'revision'; readonly revision: Revision }
  | { readonly kind: 'time'; readonly timeMs: number };

export interface HistoryQuery {
  /** Selects the object at a moment, instead of its changes. */
  readonly at: Moment | undefined;
  /** Only changes after this position. */
  readonly since: Moment | undefined;
  /** Only changes before this revision: the end of the previous page. */
  readonly before: Revision;
  /** Maximum number of changes. */
  readonly limit: number;
}

/** Selectors are refused: authorizers rely on the one object that a selector may name. */
const known: ReadonlySet<string> = new Set([
  'at',
  'since',
  'continue',
  'limit',
  'pretty',
  'timeout',
  'includeObject',
]);

/** Throws 400. */
export function historyQuery({ rawQuery }: Pick<ApiRequest, 'rawQuery'>): HistoryQuery {
  const query = rawQuery === '' ? emptyQuery : parseQuery(rawQuery);
  for (const name of new URLSearchParams(rawQuery).keys()) {
    if (!known.has(name))
      throw errors.badRequest(`the history has no parameter ${JSON.stringify(name.slice(0, 64))}`);
  }
  return {
    at: moment(query, 'at'),
    since: moment(query, 'since'),
    before: revisionOf(query.get('continue') ?? '') ?? Number.POSITIVE_INFINITY,
    limit: historyPageSize(integerParameter(query, 'limit') ?? 0),
  };
}

function moment(query: Query, name: string): Moment | undefined {
  const text = query.get(name) ?? '';
  if (text === '') return undefined;
  const revision = revisionOf(text);
  if (revision !== undefined) return { kind: 'revision', revision };
  const time = timeMs(text);
  if (time !== undefined) return { kind: 'time', timeMs: time };
  throw errors.badRequest(
    `${name} must be a resourceVersion or a time such as 2024-05-01T12:00:00Z, not ${JSON.stringify(text.slice(0, 64))}`,
  );
}

function revisionOf(text: string): Revision | undefined {
  const revision = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(revision) ? revision : undefined;
}
