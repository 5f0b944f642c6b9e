import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Authentication, Authenticator, UserInfo } from '@orch/auth';
import { abortable, type Env, onAbort } from '@orch/machinery';
import type { ApiServer } from '@orch/pipeline';
import { type ApiRequest, clientGone, localRequest, type Reply } from '@orch/request';
import { type Disposal, type LocalBody, localBody } from './local-body.ts';

/** A request of this process to its own server. Names of header fields are in lower case. */
export interface LocalCall {
  readonly method: string;
  /** Path and query: `/api/v1/pods?limit=5`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | undefined;
}

export interface LocalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: LocalBody;
}

/** The way of this process to its own server: every stage of the pipeline, and no socket. */
export interface LocalAccess {
  /** Value of `Authorization` with which a call is one of the loopback user. Worth nothing outside of this process. */
  readonly authorization: string;
  /**
   * Rejects with the signal's reason only: what goes wrong on the way is an answer. The signal, and leaving the loop
   * over the body, end the request. A body that breaks off throws.
   */
  send(call: LocalCall, signal: AbortSignal): Promise<LocalAnswer>;
}

/** As the server makes it. Calls are answered once it is connected to the pipeline. */
export class LocalDoor {
  readonly authenticator: Authenticator;
  readonly #authorization: string;
  /** Marks the calls of this process: nothing that came over a socket can have it. */
  readonly #connection = {};
  readonly #env: Env;
  readonly #draining = new AbortController();
  readonly #open = new Set<() => void>();

  constructor(user: UserInfo, env: Env) {
    this.#env = env;
    this.#authorization = `Bearer ${env.random.bytes(32).toString('base64url')}`;
    this.authenticator = loopbackAuthenticator(this.#authorization, this.#connection, user);
  }

  /** The access to a server. */
  to(server: Pick<ApiServer, 'handle'>): LocalAccess {
    return {
      authorization: this.#authorization,
      send: (call, signal) => this.#send(server, call, signal),
    };
  }

  /** Asks streams for a clean end. */
  drain(): void {
    this.#draining.abort(new Error('the server stops'));
  }

  /** Ends what is still under way. */
  close(): void {
    this.drain();
    for (const end of [...this.#open]) end();
  }

  async #send(server: Pick<ApiServer, 'handle'>, call: LocalCall, signal: AbortSignal): Promise<LocalAnswer> {
    signal.throwIfAborted();
    const request = this.#requestOf(call);
    const forget = this.#track(request, signal);
    let answer: Reply | Promise<Reply>;
    try {
      answer = server.handle(request);
    } catch (error) {
      forget();
      throw error;
    }
    const disposal: Disposal = {
      request,
      draining: this.#draining.signal,
      log: this.#env.log,
      over: forget,
    };
    if (!(answer instanceof Promise)) return answered(answer, disposal);
    try {
      return answered(await abortable(answer, signal), disposal);
    } catch (error) {
      // Nobody waits for it any more, but what it holds has to be given back.
      answer.then((late) => localBody(late, disposal).abandon(), forget);
      throw error;
    }
  }

  #requestOf(call: LocalCall): ApiRequest {
    const { headers, repeated } = fieldsOf(call.headers);
    const { body } = call;
    return localRequest({
      method: call.method,
      target: call.target,
      headers,
      repeated,
      connection: this.#connection,
      id: this.#env.random.uuid(),
      ...(body !== undefined && { body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) }),
    });
  }

  /** Ends the request with the signal, or with the server. Answers what is to be called when it is over. */
  #track(request: ApiRequest, signal: AbortSignal): () => void {
    const end = (): void => request.cancel(clientGone());
    const unregister = onAbort(signal, end);
    this.#open.add(end);
    return () => {
      unregister();
      this.#open.delete(end);
    };
  }
}

function answered(reply: Reply, disposal: Disposal): LocalAnswer {
  const body = localBody(reply, disposal);
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(reply.headers)) {
    headers[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return { status: reply.status, headers, body };
}

/** Fields that stand more than once are joined, and kept apart in `repeated`, as for a request of a socket. */
function fieldsOf(given: LocalCall['headers']): {
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

/** Knows one credential, of calls of this process alone: the same header over a socket is nobody. */
function loopbackAuthenticator(authorization: string, connection: object, user: UserInfo): Authenticator {
  const expected = Buffer.from(authorization);
  const known: Authentication = { kind: 'user', user };
  return {
    authenticate(credentials) {
      const given = credentials.headers.authorization;
      if (credentials.connection !== connection || given === undefined) return none;
      const bytes = Buffer.from(given);
      return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? known : none;
    },
  };
}
