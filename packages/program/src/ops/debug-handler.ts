import type { IncomingMessage } from 'node:http';
import type { Logger } from '@orch/machinery';
import type { Handler, Request, Response } from 'express';
import { type DebugAnswer, textAnswer } from '../debug/endpoint.ts';
import type { DebugEndpoints } from '../debug/endpoints.ts';
import { foreignReason } from '../debug/local-request.ts';
import { HTTP_FORBIDDEN, HTTP_INTERNAL, HTTP_NOT_FOUND } from '../debug/status.ts';

/** A request from another machine, for the decision whether it is permitted. */
export interface ForeignRequest {
  readonly method: string;
  readonly path: string;
  /** Field `Authorization`. */
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
}

/** The endpoints below `/debug` of an ops port. */
export interface OpsDebug {
  readonly endpoints: DebugEndpoints;
  /**
   * Authorizes requests that are not from this machine, and all requests when the port is not bound to the loopback
   * interface. Resolves to the response of a refused request, and to undefined for a permitted one.
   */
  refusal(request: ForeignRequest): Promise<DebugAnswer | undefined>;
}

export interface DebugHandlerOptions extends OpsDebug {
  readonly log: Logger;
  /** Reports whether the port is bound to the loopback interface; known once it is open. */
  readonly isLocal: () => boolean;
}

/** Serves `/debug` and the paths below it, and passes all others on. */
export function debugHandler(options: DebugHandlerOptions): Handler {
  return async (request, response, next) => {
    if (request.path !== '/debug' && !request.path.startsWith('/debug/')) return next();
    const gone = goneOf(response);
    const { status, headers, body } = await answered(options, request, gone).catch((error: unknown) => {
      if (!gone.aborted) options.log.error('a request for debugging failed', { error });
      return textAnswer('internal error', HTTP_INTERNAL);
    });
    response.status(status);
    for (const [name, value] of Object.entries(headers)) response.set(name, value);
    response.send(body);
  };
}

async function answered(
  { endpoints, refusal, isLocal, log }: DebugHandlerOptions,
  request: Request,
  signal: AbortSignal,
): Promise<DebugAnswer> {
  const { method = '', path } = request;
  if (!isLocal() || foreignReason(request) !== undefined) {
    const { authorization } = request.headers;
    const refused = await refusal({ method, path, authorization, signal });
    if (refused !== undefined) return refused;
  }
  const endpoint = endpoints.find(path);
  if (endpoint === undefined) return textAnswer('404 page not found', HTTP_NOT_FOUND);
  log.info('request for debugging', { method, path: endpoint.path, client: request.socket.remoteAddress });
  const mark = request.url.indexOf('?');
  const query = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1));
  return endpoints.answer(endpoint, { method, query, signal, body: (limit) => readText(request, limit) });
}

/** Refuses all requests that are not from this machine. */
export const onlyLocal = (instead: string) => async (): Promise<DebugAnswer> =>
  textAnswer(`only served to this machine, on a loopback address; ${instead}`, HTTP_FORBIDDEN);

function goneOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => gone.abort(new Error('the client disconnected')));
  return gone.signal;
}

/** The body of a request as text; undefined when it is longer than the limit, and the rest is not read. */
async function readText(request: IncomingMessage, limitBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
