import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Authentication, Authenticator, UserInfo } from '@orch/auth';
import type { Env } from '@orch/machinery';
import { abortable, expectManyListeners, onAbort } from '@orch/machinery/concurrency';
import type { ApiServer } from '@orch/pipeline';
import { type ApiRequest, clientGone, localRequest, type Reply } from '@orch/request';
import { type Disposal, loopbackBody } from './loopback-body.ts';
import type { LoopbackRequest, LoopbackResponse, LoopbackTransport } from './loopback-transport.ts';

/** Accepts loopback requests, as a listener accepts connections: authenticates, drains and closes them. */
export class LoopbackListener {
  readonly authenticator: Authenticator;
  readonly #authorization: string;
  readonly #identities: LoopbackIdentity[] = [];
  /** Connection of all loopback requests; no request from a socket has it. */
  readonly #connection = {};
  readonly #env: Env;
  readonly #draining = new AbortController();
  readonly #open = new Set<() => void>();

  constructor(user: UserInfo, env: Env) {
    this.#env = env;
    expectManyListeners(this.#draining.signal);
    this.#authorization = this.#authorizationOf(user);
    this.authenticator = loopbackAuthenticator(this.#identities, this.#connection);
  }

  #authorizationOf(user: UserInfo): string {
    const authorization = `Bearer ${this.#env.random.bytes(32).toString('base64url')}`;
    this.#identities.push({ expected: Buffer.from(authorization), authenticated: { kind: 'user', user } });
    return authorization;
  }

  /** A transport to the server. */
  transport(server: Pick<ApiServer, 'handle'>): LoopbackTransport {
    return {
      authorization: this.#authorization,
      authorizationOf: (user) => this.#authorizationOf(user),
      send: (request, signal) => this.#send(server, request, signal),
    };
  }

  /** Signals streams to complete. */
  drain(): void {
    this.#draining.abort(new Error('the server stops'));
  }

  /** Cancels requests in progress. */
  close(): void {
    this.drain();
    for (const end of [...this.#open]) end();
  }

  async #send(
    server: Pick<ApiServer, 'handle'>,
    given: LoopbackRequest,
    signal: AbortSignal,
  ): Promise<LoopbackResponse> {
    signal.throwIfAborted();
    const request = this.#requestOf(given);
    const forget = this.#track(request, signal);
    let reply: Reply | Promise<Reply>;
    try {
      reply = server.handle(request);
    } catch (error) {
      forget();
      throw error;
    }
    const disposal: Disposal = {
      request,
      draining: this.#draining.signal,
      log: this.#env.log,
      onEnd: forget,
    };
    if (!(reply instanceof Promise)) return responseOf(reply, disposal);
    try {
      return responseOf(await abortable(reply, signal), disposal);
    } catch (error) {
      // The caller is gone; a late reply still has to release its resources.
      reply.then((late) => loopbackBody(late, disposal).abandon(), forget);
      throw error;
    }
  }

  #requestOf({ method, target, headers: given, body }: LoopbackRequest): ApiRequest {
    const { headers, repeated } = fieldsOf(given);
    return localRequest({
      method,
      target,
      headers,
      repeated,
      connection: this.#connection,
      id: this.#env.random.uuid(),
      ...(body !== undefined && { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }),
    });
  }

  /** Cancels the request when the signal aborts or the listener closes. Returns a function to call when it has ended. */
  #track(request: ApiRequest, signal: AbortSignal): () => void {
    const cancel = (): void => request.cancel(clientGone());
    const unregister = onAbort(signal, cancel);
    this.#open.add(cancel);
    return () => {
      unregister();
      this.#open.delete(cancel);
    };
  }
}

function responseOf(reply: Reply, disposal: Disposal): LoopbackResponse {
  const body = loopbackBody(reply, disposal);
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(reply.headers)) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return { status: reply.status, headers, body };
}

/** Repeated fields are joined, and their values kept in `repeated`, as for a request from a socket. */
function fieldsOf(given: LoopbackRequest['headers']): {
  readonly headers: IncomingHttpHeaders;
  readonly repeated: ReadonlyMap<string, readonly string[]> | undefined;
} {
  const headers: IncomingHttpHeaders = Object.create(null);
  const repeated = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string') {
      headers[name] = value;
    } else if (value.length > 0) {
      headers[name] = value.join(', ');
      if (value.length > 1) repeated.set(name, value);
    }
  }
  return { headers, repeated: repeated.size === 0 ? undefined : repeated };
}

const none: Authentication = { kind: 'none' };

interface LoopbackIdentity {
  readonly expected: Buffer;
  readonly authenticated: Authentication;
}

/** Accepts its credentials on loopback requests only: the same header on a socket's request does not authenticate. */
function loopbackAuthenticator(identities: readonly LoopbackIdentity[], connection: object): Authenticator {
  return {
    authenticate(credentials) {
      const given = credentials.headers.authorization;
      if (credentials.connection !== connection || given === undefined) return none;
      const bytes = Buffer.from(given);
      const found = identities.find(
        ({ expected }) => bytes.length === expected.length && timingSafeEqual(bytes, expected),
      );
      return found?.authenticated ?? none;
    },
  };
}
