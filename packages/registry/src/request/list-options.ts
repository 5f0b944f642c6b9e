import type { Freshness } from '@orch/cache';
import { errors, type FieldError, fieldError, type Names } from '@orch/machinery';
import { booleanParameter, integerParameter, optionalBoolean, type Query } from '@orch/request';
import type { Revision } from '@orch/storage';
import { freshnessOf, parseResourceVersion } from './resource-version.ts';
import type { OptionsContext } from './write-options.ts';

/** Query of a list, watch or deletecollection request (spec 4.3). Absent strings are `''`. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** 0: no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

const noOptions: ListOptions = Object.freeze({
  labelSelector: '',
  fieldSelector: '',
  limit: 0,
  continueToken: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  allowWatchBookmarks: false,
  sendInitialEvents: undefined,
  timeoutSeconds: undefined,
});

const anyVersion: ListOptions = Object.freeze({ ...noOptions, resourceVersion: '0' });

/** The options of the two most frequent queries, without parsing. */
export function plainListOptions(rawQuery: string): ListOptions | undefined {
  if (rawQuery === '') return noOptions;
  return rawQuery === 'resourceVersion=0' ? anyVersion : undefined;
}

/** Reads and checks the options of a list (400, 422). Limit and continue are ignored when chunking is disabled. */
export function listOptions(query: Query, { names, features }: OptionsContext): ListOptions {
  const options = readOptions(query);
  refuse(listProblems(options), names);
  return features.listChunking ? options : { ...options, limit: 0, continueToken: '' };
}

/** Reads and checks the options of a watch (400, 422). */
export function watchOptions(query: Query, names: Names): ListOptions {
  const options = readOptions(query);
  refuse(watchProblems(options), names);
  return options;
}

function readOptions(query: Query): ListOptions {
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    limit: Math.max(0, integerParameter(query, 'limit') ?? 0),
    continueToken: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    allowWatchBookmarks: booleanParameter(query, 'allowWatchBookmarks'),
    sendInitialEvents: optionalBoolean(query, 'sendInitialEvents'),
    timeoutSeconds: integerParameter(query, 'timeoutSeconds'),
  };
}

function refuse(problems: readonly FieldError[], names: Names): void {
  if (problems.length > 0)
    throw errors.invalid({ group: names.group('meta'), kind: 'ListOptions' }, problems);
}

const MATCH = 'resourceVersionMatch';

function listProblems(options: ListOptions): readonly FieldError[] {
  const problems: FieldError[] = [];
  const match = options.resourceVersionMatch;
  if (match !== '') {
    if (options.resourceVersion === '') {
      problems.push(fieldError.forbidden(MATCH, 'it may only be set together with resourceVersion'));
    }
    if (options.continueToken !== '') {
      problems.push(fieldError.forbidden(MATCH, 'it may not be set together with continue'));
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      problems.push(fieldError.notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    }
    if (match === 'Exact' && options.resourceVersion === '0') {
      problems.push(fieldError.forbidden(MATCH, 'Exact may not be combined with resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    problems.push(fieldError.forbidden('sendInitialEvents', 'it is an option of watch requests'));
  }
  return problems;
}

function watchProblems(options: ListOptions): readonly FieldError[] {
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents === undefined) {
    return match === ''
      ? []
      : [fieldError.forbidden(MATCH, 'a watch may only set it together with sendInitialEvents')];
  }
  const problems: FieldError[] = [];
  if (match !== 'NotOlderThan') {
    problems.push(
      match === ''
        ? fieldError.forbidden(MATCH, 'sendInitialEvents requires it to be NotOlderThan')
        : fieldError.notSupported(MATCH, match, ['NotOlderThan']),
    );
  }
  if (options.continueToken !== '') {
    problems.push(fieldError.forbidden(MATCH, 'it may not be set together with continue'));
  }
  if (options.sendInitialEvents && !options.allowWatchBookmarks) {
    problems.push(fieldError.forbidden('sendInitialEvents', 'it requires allowWatchBookmarks'));
  }
  return problems;
}

/** The state that a list reads: one that is fresh enough, an exact revision, or that of the previous page. */
export type ListPlan =
  | { readonly kind: 'fresh'; readonly freshness: Freshness }
  | { readonly kind: 'exact'; readonly rev: Revision }
  | { readonly kind: 'continue'; readonly token: string };

/** The table of spec 4.4 for lists; `listOptions` has refused its invalid combinations except for the one with 400. */
export function listPlan(options: ListOptions): ListPlan {
  const { resourceVersion, resourceVersionMatch: match, continueToken } = options;
  if (continueToken !== '') {
    if (resourceVersion !== '' && resourceVersion !== '0') {
      throw errors.badRequest(
        'resourceVersion may not be set together with continue: the token says which version',
      );
    }
    return { kind: 'continue', token: continueToken };
  }
  const exactly = match === 'Exact' || (match === '' && options.limit > 0);
  if (!exactly || resourceVersion === '' || resourceVersion === '0') {
    return { kind: 'fresh', freshness: freshnessOf(resourceVersion) };
  }
  return { kind: 'exact', rev: parseResourceVersion(resourceVersion) };
}

/** The start of a watch (spec 4.4): with the state, or after a revision, once the cache is as fresh as `freshness`. */
export interface WatchPlan {
  readonly freshness: Freshness;
  readonly start: 'state' | 'stateWithEnd' | 'now' | { readonly after: Revision };
}

export function watchPlan(options: ListOptions): WatchPlan {
  const freshness = freshnessOf(options.resourceVersion);
  if (options.sendInitialEvents === true) return { freshness, start: 'stateWithEnd' };
  if (freshness.kind === 'notOlderThan')
    return { freshness: { kind: 'any' }, start: { after: freshness.rev } };
  return { freshness, start: options.sendInitialEvents === false ? 'now' : 'state' };
}
