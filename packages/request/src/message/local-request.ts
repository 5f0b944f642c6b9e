import type { IncomingHttpHeaders } from 'node:http';
import { errors } from '@orch/machinery';
import { LazySignal } from './contexts.ts';
import type { ApiRequest } from './types.ts';

/** A request from this process, without a socket. */
export interface LocalRequest {
  /** `GET` when absent. */
  readonly method?: string;
  /** Path and query: `/api/v1/pods?limit=5`. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers?: IncomingHttpHeaders;
  readonly body?: Buffer | string;
  readonly clientCertificate?: Buffer;
  readonly id?: string;
  /** A new connection when absent. */
  readonly connection?: object;
  readonly repeated?: ApiRequest['repeated'];
}

/** Creates a request for `ApiServer.handle`: for tests, and for clients in the same process. */
export function localRequest(local: LocalRequest): ApiRequest {
  const mark = local.target.indexOf('?');
  const abort = new LazySignal();
  const body = Buffer.from(local.body ?? '');
  return {
    method: local.method ?? 'GET',
    rawPath: mark < 0 ? local.target : local.target.slice(0, mark),
    rawQuery: mark < 0 ? '' : local.target.slice(mark + 1),
    headers: local.headers ?? {},
    id: local.id ?? 'local',
    remoteAddress: '',
    connection: local.connection ?? {},
    repeated: local.repeated,
    clientCertificate: local.clientCertificate,
    get signal() {
      return abort.signal;
    },
    cancel: (reason) => abort.abort(reason),
    async body(limitBytes) {
      if (body.length > limitBytes) throw errors.requestEntityTooLarge(limitBytes);
      return body;
    },
    bodyLength: body.length,
    async *bodyStream() {
      if (body.length > 0) yield body;
    },
    upgrade: () => undefined,
  };
}
