import { ApiError } from '@orch/machinery';
import type { RequestInfo } from '../message/types.ts';
import { parseRequestInfo, type RequestLine } from './request-info.ts';

const METHOD_NOT_ALLOWED = 405;

/** The request info, or one with a refusal where `parse` throws an `ApiError`: such requests are audited as well. */
export function infoOrRefusal(
  line: RequestLine,
  parse: (line: RequestLine) => RequestInfo = parseRequestInfo,
): RequestInfo {
  try {
    return parse(line);
  } catch (error) {
    if (error instanceof ApiError) return refusedInfo(line, error);
    throw error;
  }
}

/** The target of a refused request: the resource where only the method is wrong, otherwise the path as sent. */
function refusedInfo(line: RequestLine, refusal: ApiError): RequestInfo {
  if (refusal.status.code === METHOD_NOT_ALLOWED) {
    try {
      const info = parseRequestInfo({ ...line, method: 'GET', rawQuery: '' });
      if (info.isResource) return { ...info, verb: '', refusal };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return { isResource: false, verb: line.method.toLowerCase(), path: line.rawPath, refusal };
}
