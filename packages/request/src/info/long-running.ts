import type { RequestInfo } from '../message/types.ts';

const longRunningSubresources: ReadonlySet<string> = new Set([
  'attach',
  'exec',
  'log',
  'portforward',
  'proxy',
]);

/** Requests that last as long as the client wants: no deadline, no place among the requests in flight. */
export const isLongRunning = (info: RequestInfo): boolean =>
  info.isResource &&
  (info.verb === 'watch' || info.verb === 'proxy' || longRunningSubresources.has(info.subresource));

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head']);

/** Which of the two limits on requests in flight counts a request. */
export const isReadOnly = (info: RequestInfo): boolean => readOnlyVerbs.has(info.verb);
