import type { LoopbackResponse, LoopbackTransport } from '@orch/apiserver';
import {
  type Credentials,
  fixedCredentials,
  type Identity,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@orch/client';
import { messageOf } from '@orch/machinery';
import { anySignal } from '@orch/machinery/concurrency';

/** The loopback credentials of this process. */
export const loopbackCredentials = ({
  authorization,
}: Pick<LoopbackTransport, 'authorization'>): Credentials => fixedCredentials({ headers: { authorization } });

/**
 * The transport to the API server of the same process. Requests pass through its pipeline with the identity of the
 * credentials, as they would over a socket.
 */
export const localTransport = (
  access: Pick<LoopbackTransport, 'send'>,
  credentials: Credentials,
): Transport => new LocalTransport(access, credentials);

class LocalTransport implements Transport {
  readonly #access: Pick<LoopbackTransport, 'send'>;
  readonly #credentials: Credentials;
  /** Aborts the requests in progress; replaced by a reset. */
  #generation = new AbortController();
  #isClosed = false;

  constructor(access: Pick<LoopbackTransport, 'send'>, credentials: Credentials) {
    this.#access = access;
    this.#credentials = credentials;
  }

  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    signal.throwIfAborted();
    const identity = await this.#credentials.current(signal);
    const response = await this.#sendAs(identity, request, signal);
    if (response.status !== 401 || !this.#credentials.rejected(identity)) return response;
    await response.body[Symbol.asyncIterator]().return?.();
    return this.#sendAs(await this.#credentials.current(signal), request, signal);
  }

  async #sendAs(
    identity: Identity,
    request: TransportRequest,
    signal: AbortSignal,
  ): Promise<TransportResponse> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new TransportError('notSent', 'the connection to the server is closed');
    const generation = this.#generation.signal;
    const scope = anySignal([signal, generation]);
    try {
      const call = { ...request, headers: { ...request.headers, ...identity.headers } };
      const response = await this.#access.send(call, scope.signal);
      return { status: response.status, headers: response.headers, body: bodyOf(response, scope, signal) };
    } catch (error) {
      scope[Symbol.dispose]();
      if (signal.aborted) throw signal.reason;
      throw new TransportError('unknown', messageOf(error), { cause: error });
    }
  }

  reset(reason: string): void {
    const before = this.#generation;
    this.#generation = new AbortController();
    before.abort(new Error(reason));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.reset('the connection to the server was closed');
  }
}

/** The body, with failures as `TransportError`. The scope of the request ends with the body. */
function bodyOf(
  { body }: LoopbackResponse,
  scope: Disposable,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          const step = await chunks.next();
          if (step.done === true) scope[Symbol.dispose]();
          return step;
        } catch (error) {
          scope[Symbol.dispose]();
          if (signal.aborted) throw signal.reason;
          throw new TransportError('unknown', messageOf(error), { cause: error });
        }
      },
      // Also before the first chunk was requested, when a generator would skip its `finally`.
      async return() {
        scope[Symbol.dispose]();
        body.abandon();
        await chunks.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}
