import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ApiError, errors, messageOf } from '@orch/machinery';
import { aborted, anySignal, withDeadline } from '@orch/machinery/concurrency';
import { encodeJson } from '@orch/machinery/json';
import { followPair, type PairFiles, readPair } from '../files/serving-pair.ts';
import type { ManagedServer, ServerContext } from '../manager/manager.ts';
import { answerAdmission } from './admission-review.ts';
import { answerConversion } from './conversion-review.ts';
import { HeldBytes, MAX_ADMISSION_BYTES, MAX_CONVERSION_BYTES, readReview } from './read-review.ts';
import { type HandlerRun, handlerRun } from './run-handler.ts';
import type { AdmissionHandler, ConversionHandler } from './types.ts';

/** The handlers of a webhook server by their paths, its certificate and its port. */
export interface WebhookServerOptions {
  /** The serving certificate, valid for `NAME.NAMESPACE.svc` of the service. */
  readonly tls: PairFiles;
  /** 9443 when absent; a free one with 0. */
  readonly port?: number;
  /** The address to listen on; all of the machine when absent. */
  readonly host?: string;
  /** Handlers of AdmissionReview by path, such as `/validate-widgets`. */
  readonly admission?: Readonly<Record<string, AdmissionHandler>>;
  /** Handlers of ConversionReview by path. */
  readonly conversion?: Readonly<Record<string, ConversionHandler>>;
  /** Called with the port when it is open. */
  readonly onListening?: (port: number) => void;
}

const DEFAULT_PORT = 9443;
const MAX_CONNECTIONS = 1024;
/** A client that sends its request slower is disconnected. */
const REQUEST_MS = 10_000;
/** Longer than clients keep an idle connection, 90 s for the API server: none is closed while a request is on its way. */
const KEEP_ALIVE_MS = 120_000;
/** The longest time for a handler. The API server sends its own limit, of at most 30 s. */
const HANDLER_MS = 30_000;
/** Time for requests in progress after the signal. */
const DRAIN_MS = 10_000;

/** The path of a webhook: the limit of its bodies, and how it answers a review. */
interface Endpoint {
  readonly maxBytes: number;
  answer(review: unknown, run: HandlerRun): Promise<object>;
}

/**
 * A server for the webhooks of an operator, for `servers` of `runManager`. It runs until the signal aborts, and reads its
 * certificate again every ten seconds. Rejects when it cannot listen, and for a certificate that cannot be used at the start.
 * Throws a RangeError for a path that does not begin with `/` or occurs twice.
 */
export function webhookServer(options: WebhookServerOptions): ManagedServer {
  const endpoints = endpointsOf(options);
  return (context, signal) => serve(options, new Webhooks(endpoints, context, signal), { context, signal });
}

function endpointsOf({ admission = {}, conversion = {} }: WebhookServerOptions): Map<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  const add = (path: string, endpoint: Endpoint): void => {
    if (!path.startsWith('/') || path.includes('?'))
      throw new RangeError(`${JSON.stringify(path)}: a path must begin with / and have no query`);
    if (endpoints.has(path)) throw new RangeError(`${path}: a path must have one handler`);
    endpoints.set(path, endpoint);
  };
  for (const [path, handler] of Object.entries(admission)) {
    const answer = (review: unknown, run: HandlerRun) => answerAdmission(review, handler, run);
    add(path, { maxBytes: MAX_ADMISSION_BYTES, answer });
  }
  for (const [path, handler] of Object.entries(conversion)) {
    const answer = (review: unknown, run: HandlerRun) => answerConversion(review, handler, run);
    add(path, { maxBytes: MAX_CONVERSION_BYTES, answer });
  }
  return endpoints;
}

async function serve(
  { tls, port = DEFAULT_PORT, host, onListening }: WebhookServerOptions,
  webhooks: Webhooks,
  { context, signal }: { readonly context: ServerContext; readonly signal: AbortSignal },
): Promise<void> {
  const { env } = context;
  const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, handshakeTimeout: REQUEST_MS };
  // Loaded on first use, so that importing the library stays quick.
  const { createServer } = process.getBuiltinModule('node:https');
  const server = createServer(
    { ...limits, ...readPair(tls), minVersion: 'TLSv1.2', keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => void webhooks.handle(request, response),
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening');
  using scope = anySignal([signal]);
  const following = followPair(tls, env, (pair) => server.setSecureContext(pair), scope.signal);
  try {
    onListening?.((server.address() as AddressInfo).port);
    await aborted(signal);
  } finally {
    scope.abort();
    await following;
    await close(server, context);
  }
}

/** Closes the server when its requests are answered, at the latest after ten seconds. */
async function close(server: Server, { env }: ServerContext): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  using drain = withDeadline(new AbortController().signal, env.clock, DRAIN_MS);
  drain.signal.addEventListener('abort', () => server.closeAllConnections(), { once: true });
  await closed;
}

class Webhooks {
  readonly #endpoints: ReadonlyMap<string, Endpoint>;
  readonly #context: ServerContext;
  readonly #held = new HeldBytes();
  readonly #stopped: AbortSignal;

  constructor(endpoints: ReadonlyMap<string, Endpoint>, context: ServerContext, stopped: AbortSignal) {
    this.#endpoints = endpoints;
    this.#context = context;
    this.#stopped = stopped;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.#send(response, 200, encodeJson(await this.#answer(request, response)));
    } catch (error) {
      const failed = error instanceof ApiError ? error : errors.plain(500, 'the webhook has failed');
      if (failed !== error && !request.destroyed)
        this.#context.env.log.error('a review has failed', { error: messageOf(error) });
      this.#send(response, failed.code, encodeJson(failed.status));
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<object> {
    const { method = '', url = '' } = request;
    const [path = '', query] = url.split('?', 2);
    const endpoint = this.#endpoints.get(path);
    if (endpoint === undefined) throw errors.resourceNotFound();
    if (method !== 'POST') throw errors.methodNotAllowed(method);
    const { env, client } = this.#context;
    const { review, bytes } = await readReview(request, this.#held, endpoint.maxBytes);
    using left = anySignal([]);
    const leave = (): void => left.abort(new Error('the client has left'));
    response.once('close', leave);
    using deadline = withDeadline(left.signal, env.clock, handlerMs(query));
    try {
      const call = { signal: deadline.signal, client, env };
      return await endpoint.answer(review, handlerRun(call, path, env.log));
    } finally {
      response.off('close', leave);
      this.#held.release(bytes);
    }
  }

  #send(response: ServerResponse, code: number, bytes: Buffer): void {
    if (response.destroyed) return;
    // The end of the server does not wait for its clients.
    if (this.#stopped.aborted) response.shouldKeepAlive = false;
    response
      .writeHead(code, { 'content-type': 'application/json', 'content-length': bytes.length })
      .end(bytes);
  }
}

/** The time that the API server waits, from its parameter `timeout`, such as `10s`; at most 30 s. */
function handlerMs(query: string | undefined): number {
  const [, seconds] = /^(\d{1,5})s$/.exec(new URLSearchParams(query).get('timeout') ?? '') ?? [];
  return seconds === undefined ? HANDLER_MS : Math.min(Number(seconds) * 1000, HANDLER_MS);
}
