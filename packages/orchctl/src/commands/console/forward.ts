import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Transport } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { bodyOf } from '../connect/proxy-request.ts';
import { refusalOf } from './allowed-request.ts';

/** Header fields of the page that are passed on. Credentials and impersonation are set by this program. */
const requestFields = ['accept', 'content-type', 'if-none-match'];
/** Header fields of the server that the page gets: no cookies, no redirections, no policies of others. */
const responseFields = ['content-type', 'etag', 'warning', 'retry-after', 'audit-id'];

export interface Forwarding {
  readonly transport: Transport;
  readonly isReadOnly: boolean;
  readonly signal: AbortSignal;
}

/** Sends a request of the page to the API server with the credentials of this program, and its answer to the page. */
export async function forward(
  { request, response, target }: { request: IncomingMessage; response: ServerResponse; target: string },
  { transport, isReadOnly, signal }: Forwarding,
): Promise<void> {
  const { method = 'GET', headers } = request;
  const refusal = refusalOf(method, target, isReadOnly);
  if (refusal !== undefined) return sendStatus(response, 403, refusal);
  const left = new AbortController();
  response.once('close', () => left.abort(new Error('the page has left')));
  try {
    const body = await bodyOf(request);
    if (body === undefined) return sendStatus(response, 413, 'the request is too long');
    const answer = await transport.send(
      { method, target, headers: chosen(headers, requestFields), ...(body.length > 0 && { body }) },
      AbortSignal.any([signal, left.signal]),
    );
    for (const [name, value] of Object.entries(chosen(answer.headers, responseFields)))
      response.setHeader(name, value);
    response.writeHead(answer.status);
    await pipeline(answer.body, response);
  } catch (error) {
    // A head that was sent cannot be taken back: the end of the connection tells the page that the answer is incomplete.
    if (response.headersSent) response.destroy();
    else sendStatus(response, 502, messageOf(error));
  }
}

function chosen(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** A failure of this program in the form of those of the server. */
export function sendStatus(response: ServerResponse, code: number, message: string): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code };
  response.end(JSON.stringify(status));
}
