import type { ApiObject, Env } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import {
  isTransportError,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '../transport/transport.ts';
import { encodeBody } from './encode-body.ts';
import type { ExactNumbers } from './exact-numbers.ts';
import { failureOf } from './failures.ts';
import { decodeAnswer, readBody, readSome } from './read-body.ts';
import { ResponseDeadline } from './response-deadline.ts';
import { waitBeforeRetry } from './retry-after.ts';
import type { Resource } from './types.ts';
import type { Warnings } from './warnings.ts';

/** A request of the API. `body` is sent as JSON. */
export interface ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** The response may exceed the timeout while data arrives: lists. */
  readonly isLong?: boolean;
  /** The key of the object that the body is about (`exactKey`). */
  readonly about?: string;
}

/** A request whose response is read as it arrives. */
export interface StreamRequest extends TransportRequest {
  /** Called when the server has accepted the request, before the first chunk. */
  readonly onOpen?: (() => void) | undefined;
}

export interface RequesterOptions {
  readonly transport: Transport;
  readonly env: Pick<Env, 'clock' | 'random'>;
  readonly userAgent: string;
  readonly warnings: Warnings;
  /** Maximum time without data of a response. */
  readonly timeoutMs: number;
  /** Maximum size of a response. */
  readonly maxResponseBytes: number;
  /** Absent: numbers that a double cannot hold are exact numbers in answers. */
  readonly exactNumbers?: ExactNumbers | undefined;
}

/** A successful response; its deadline ends with its disposal. */
interface Opened extends Disposable {
  readonly response: TransportResponse;
  readonly deadline: ResponseDeadline;
}

/** Only the head of a response with `Retry-After` matters. */
const MAX_IGNORED_BYTES = 64 * 1024;

/** Sends requests, retries them as requested by the server, and converts failures to errors. */
export class Requester {
  readonly #options: RequesterOptions;

  constructor(options: RequesterOptions) {
    this.#options = options;
  }

  /** The parsed JSON of a successful response. */
  async json(request: ApiRequest, signal = never()): Promise<unknown> {
    const sent = this.#transportRequest(request);
    using opened = await this.#open(sent, signal);
    const body = await this.#whole(opened, sent, request.isLong === true);
    try {
      return this.decode(body);
    } catch (error) {
      throw withOutcome(error, sent);
    }
  }

  /** The value of a body, or of an event. Throws a `TransportError` for other content than JSON. */
  decode(bytes: Uint8Array): unknown {
    let hasExact = false;
    const value = decodeAnswer(bytes, () => {
      hasExact = true;
    });
    const { exactNumbers } = this.#options;
    return hasExact && exactNumbers !== undefined ? exactNumbers.replace(value) : value;
  }

  /** Remembers the exact numbers of an object of an answer. */
  claim(object: ApiObject, resource: Resource): void {
    this.#options.exactNumbers?.claim(object, resource);
  }

  /** A successful response, which the caller reads within the deadline. */
  async response(
    request: TransportRequest,
    signal = never(),
  ): Promise<{ readonly response: TransportResponse; readonly body: Uint8Array }> {
    const sent = { ...request, headers: { 'user-agent': this.#options.userAgent, ...request.headers } };
    using opened = await this.#open(sent, signal);
    return { response: opened.response, body: await this.#whole(opened, sent, true) };
  }

  /** The chunks of a successful response without end; the deadline applies to its head only. */
  stream(
    { onOpen, ...request }: ApiRequest & Pick<StreamRequest, 'onOpen'>,
    signal = never(),
  ): AsyncGenerator<Uint8Array, void, undefined> {
    return this.rawStream({ ...this.#transportRequest(request), onOpen }, signal);
  }

  /** The same for a request outside of the resource paths. */
  async *rawStream(
    { onOpen, ...request }: StreamRequest,
    signal = never(),
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const headers = { 'user-agent': this.#options.userAgent, ...request.headers };
    using opened = await this.#open({ ...request, headers }, signal);
    opened.deadline.lift();
    onOpen?.();
    try {
      yield* opened.response.body;
    } catch (error) {
      throw withOutcome(error, request);
    }
  }

  async #whole(
    { response, deadline }: Opened,
    request: TransportRequest,
    isLong: boolean,
  ): Promise<Uint8Array> {
    try {
      return await readBody(
        response,
        this.#options.maxResponseBytes,
        isLong ? () => deadline.extend() : undefined,
      );
    } catch (error) {
      throw this.#explained(error, deadline, request);
    }
  }

  async #open(request: TransportRequest, signal: AbortSignal): Promise<Opened> {
    const { env } = this.#options;
    for (let tries = 1; ; tries++) {
      const tried = await this.#try(request, tries, signal);
      if (typeof tried !== 'number') return tried;
      await sleep(env.clock, tried, signal);
    }
  }

  /** The response, or the delay in milliseconds before a retry. */
  async #try(request: TransportRequest, tries: number, signal: AbortSignal): Promise<Opened | number> {
    const { transport, env, warnings, timeoutMs } = this.#options;
    const deadline = new ResponseDeadline(signal, env.clock, timeoutMs);
    try {
      const response = await transport.send(request, deadline.signal);
      warnings.hear(response.headers['warning'], request.method, request.target);
      if (isSuccess(response.status)) {
        return { response, deadline, [Symbol.dispose]: () => deadline[Symbol.dispose]() };
      }
      const waitMs = waitBeforeRetry(response, tries, env);
      if (waitMs === undefined) throw await failureOf(response);
      await readSome(response, MAX_IGNORED_BYTES);
      deadline[Symbol.dispose]();
      return waitMs;
    } catch (error) {
      deadline[Symbol.dispose]();
      throw this.#explained(error, deadline, request);
    }
  }

  /** An expired deadline is a missing response. */
  #explained(error: unknown, deadline: ResponseDeadline, request: TransportRequest): unknown {
    if (!deadline.caused(error)) return withOutcome(error, request);
    const { method, target } = request;
    const [path] = target.split('?', 1);
    const message = `${method} ${path}: no response within ${this.#options.timeoutMs} ms`;
    return new TransportError(isRead(request) ? 'noEffect' : 'unknown', message, { cause: error });
  }

  #transportRequest({
    method,
    target,
    body,
    contentType,
    accept = 'application/json',
    about,
  }: ApiRequest): TransportRequest {
    const headers: Record<string, string> = {
      accept,
      'user-agent': this.#options.userAgent,
    };
    if (body === undefined) return { method, target, headers };
    headers['content-type'] = contentType ?? 'application/json';
    const { exactNumbers } = this.#options;
    const whole = about === undefined ? body : (exactNumbers?.restored(body, about) ?? body);
    return { method, target, headers, body: encodeBody(whole) };
  }
}

const isRead = ({ method }: TransportRequest): boolean => method === 'GET' || method === 'HEAD';

/** The error of a request: a lost read has no effect. */
const withOutcome = (error: unknown, request: TransportRequest): unknown =>
  isTransportError(error) && error.outcome === 'unknown' && isRead(request)
    ? new TransportError('noEffect', error.message, { cause: error.cause ?? error })
    : error;

/** 304 responds to a conditional request. */
const isSuccess = (status: number): boolean => (status >= 200 && status < 300) || status === 304;

const never = (): AbortSignal => new AbortController().signal;
