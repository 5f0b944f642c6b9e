import { parseRequestInfo, type Received, type Stage, type WithInfo } from '@orch/request';

/** Derives the request info from path and method. */
export const requestInfo: Stage<Received, WithInfo> = (context, next) => {
  const { request } = context;
  const { method, rawPath, rawQuery } = request;
  const info = parseRequestInfo({ method, rawPath, rawQuery, contentType: request.headers['content-type'] });
  return next({ request, info });
};
