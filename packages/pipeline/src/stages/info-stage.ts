import { parseRequestInfo } from '../request/request-info.ts';
import type { Received, Stage, WithInfo } from '../request/types.ts';

/** Reads path and method. */
export const requestInfo: Stage<Received, WithInfo> = (context, next) => {
  const { request } = context;
  const { method, rawPath, rawQuery } = request;
  const info = parseRequestInfo({ method, rawPath, rawQuery, contentType: request.headers['content-type'] });
  return next({ request, info });
};
