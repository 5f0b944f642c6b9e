import type { RequestInfo } from '../message/types.ts';

const longRunningSubresources: ReadonlySet<string> = new Set([
  'attach',
  'exec',
  'log',
  'portforward',
  'proxy',
]);

/** Requests whose duration the client determines: without deadline and not limited in flight. */
export const isLongRunning = (info: RequestInfo): boolean =>
  info.isResource &&
  (info.verb === 'watch' || info.verb === 'proxy' || longRunningSubresources.has(info.subresource));

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head']);

/** Read-only and mutating requests have separate limits in flight. */
export const isReadOnly = (info: RequestInfo): boolean => readOnlyVerbs.has(info.verb);
