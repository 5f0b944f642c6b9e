import { errors } from '@orch/machinery';
import type { ResourceRequest } from '../message/types.ts';
import { parseRequestInfo, type RequestLine } from './request-info.ts';

/** The prefix of the paths of the history of objects and collections; the rest is the path of the object or collection. */
const HISTORY = '/history';

const DEFAULT_CHANGES = 100;
const MAX_CHANGES = 500;

/** Maximum number of changes in a page of the history, by the parameter `limit`; NaN or 0 without one. */
export const historyPageSize = (limit: number): number =>
  Math.min(limit > 0 ? limit : DEFAULT_CHANGES, MAX_CHANGES);

export const isHistoryPath = (rawPath: string): boolean =>
  rawPath.startsWith(`${HISTORY}/api/`) || rawPath.startsWith(`${HISTORY}/apis/`);

/**
 * The request info of a path of the history: that of a read of its object or collection, by which it is authorized. Throws
 * `ApiError`: 404 where there is none, 405 for other methods than GET and HEAD.
 */
export function parseHistoryInfo(line: RequestLine): ResourceRequest {
  if (line.method !== 'GET' && line.method !== 'HEAD') throw errors.methodNotAllowed(line.method);
  const info = parseRequestInfo({ ...line, rawPath: line.rawPath.slice(HISTORY.length) });
  if (!info.isResource || info.subresource !== '') throw errors.resourceNotFound();
  if (info.verb !== 'get' && info.verb !== 'list')
    throw errors.badRequest('the history of objects cannot be watched');
  return { ...info, isHistory: true };
}
