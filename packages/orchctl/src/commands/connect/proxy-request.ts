import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Transport } from '@orch/client';
import { messageOf } from '@orch/machinery';

/** The requests of local programs that are forwarded. */
export interface ProxyFilter {
  readonly acceptHosts: readonly RegExp[];
  readonly acceptPaths: readonly RegExp[];
  readonly rejectPaths: readonly RegExp[];
  readonly rejectMethods: readonly RegExp[];
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Proxying {
  readonly filter: ProxyFilter;
  readonly transport: Transport;
  readonly signal: AbortSignal;
}

/** Header fields of callers that are forwarded. Credentials and impersonation are set by this program. */
const passedOn = ['accept', 'content-type', 'user-agent', 'if-none-match', 'if-match', 'if-modified-since'];
/** Header fields of the server that belong to its connection, or to an encoding that was removed. */
const ownFields = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'content-length',
]);
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Answers one request: 403 if the filter refuses it, otherwise with the response of the server, or 502 without one. */
export async function proxyRequest({ request, response }: Exchange, proxying: Proxying): Promise<void> {
  try {
    if (!isAccepted(request, proxying.filter)) return refuse(response, 403, 'Forbidden');
    const body = await bodyOf(request);
    if (body === undefined) return refuse(response, 413, 'the request is too long');
    await passOn({ request, response }, body, proxying);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else refuse(response, 502, messageOf(error));
  }
}

function isAccepted({ url = '', method = '', headers }: IncomingMessage, filter: ProxyFilter): boolean {
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  const path = decodedPath(url);
  if (path === undefined) return false;
  const matches = (patterns: readonly RegExp[], text: string) => patterns.some((one) => one.test(text));
  return (
    matches(filter.acceptHosts, host) &&
    matches(filter.acceptPaths, path) &&
    !matches(filter.rejectPaths, path) &&
    !matches(filter.rejectMethods, method)
  );
}

/** The path that the server sees: an encoded path must not pass the filter. Undefined for one that cannot be decoded. */
function decodedPath(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
}

/** The body of a request; undefined for one of more than 16 MiB. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

async function passOn(
  { request, response }: Exchange,
  body: Buffer,
  { transport, signal }: Proxying,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort(new Error('the caller has left')));
  const headers = Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = request.headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const { method = 'GET', url = '/' } = request;
  const answer = await transport.send(
    { method, target: url, headers, ...(body.length > 0 && { body }) },
    AbortSignal.any([signal, left.signal]),
  );
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined && !name.startsWith(':') && !ownFields.has(name)) response.setHeader(name, value);
  response.writeHead(answer.status);
  await pipeline(answer.body, response);
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end(text);
}
