import type { Socket } from 'node:net';
import { type Env, errors } from '@orch/machinery';
import { DeadlineQueue, onAbort } from '@orch/machinery/concurrency';
import {
  type Destination,
  dial,
  Http1Connection,
  type OpenTcp,
  OutboundFailure,
  type OutboundRequest,
  type PlainAnswer,
  type UpgradedAnswer,
} from '@orch/outbound';
import type { ApiRequest, HeaderList, UpgradeReply } from '@orch/request';
import type { ConnectLimits } from './limits.ts';
import type { Passing } from './proxied-body.ts';
import { tunnel } from './tunnel.ts';

/** Bytes after the answer cannot be taken for the answer to another request, since the connection carries only one. */
export type RelayedAnswer = PlainAnswer | UpgradedAnswer;

export interface DialTimeouts {
  readonly dialTimeoutMs: number;
  readonly answerTimeoutMs: number;
}

/** The client's request, for which a connection was opened. */
export interface DialedRequest {
  readonly request: ApiRequest;
  readonly timeouts: Pick<DialTimeouts, 'answerTimeoutMs'>;
}

/** Sends requests to backends on behalf of clients, and tunnels upgraded connections. */
export class BackendDialer {
  readonly #env: Env;
  readonly limits: ConnectLimits;
  readonly #openTcp: OpenTcp | undefined;
  readonly #idle: DeadlineQueue;
  readonly #halfOpen: DeadlineQueue;
  /** Timeouts for the heads of answers, by duration. */
  readonly #answers = new Map<number, DeadlineQueue>();

  constructor(env: Env, limits: ConnectLimits, openTcp: OpenTcp | undefined) {
    this.#env = env;
    this.limits = limits;
    this.#openTcp = openTcp;
    this.#idle = new DeadlineQueue(env.clock, limits.idleTimeoutMs);
    this.#halfOpen = new DeadlineQueue(env.clock, limits.halfOpenTimeoutMs);
  }

  /**
   * Opens a connection, sends the request and waits for the head of the answer. Everything is closed when the client
   * disconnects. Rejects with an `ApiError`: 503 for an unreachable backend, 502 for a protocol error.
   */
  async request(
    destination: Destination,
    outgoing: OutboundRequest,
    request: ApiRequest,
    timeouts: DialTimeouts,
  ): Promise<RelayedAnswer> {
    const socket = await this.dial(destination, timeouts.dialTimeoutMs, request.signal);
    try {
      return await this.exchange(socket, outgoing, { request, timeouts });
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      throw errors.plain(502, `error talking to ${destination.title}: ${error.message}`);
    }
  }

  /** Opens a connection; rejects with an `ApiError` (503), or with the signal's reason. */
  dial(destination: Destination, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const openTcp = this.#openTcp === undefined ? {} : { openTcp: this.#openTcp };
    return dial(destination, { clock: this.#env.clock, signal, timeoutMs, ...openTcp });
  }

  /**
   * Sends the request over a connection that is used for nothing else, and waits for the head of the answer. Everything is
   * closed when the client disconnects. Rejects with `OutboundFailure`, or with the signal's reason.
   */
  async exchange(
    socket: Socket,
    outgoing: OutboundRequest,
    { request, timeouts }: DialedRequest,
  ): Promise<RelayedAnswer> {
    const { signal } = request;
    const { answerTimeoutMs } = timeouts;
    const connection = new Http1Connection(socket, {
      answers: this.#answersWithin(answerTimeoutMs),
      onFree: (free) => free.destroy(),
      onClosed: () => undefined,
    });
    const answer = await connection.request({ ...outgoing, isStreamed: true }, signal);
    if (answer.kind === 'whole') throw new TypeError('an answer that was not streamed');
    onAbort(signal, () => (answer.kind === 'answer' ? answer.close() : answer.socket.destroy()));
    return answer;
  }

  #answersWithin(durationMs: number): DeadlineQueue {
    let queue = this.#answers.get(durationMs);
    if (queue === undefined) {
      queue = new DeadlineQueue(this.#env.clock, durationMs, 0);
      this.#answers.set(durationMs, queue);
    }
    return queue;
  }

  /** Options for streaming the body of an answer. */
  passing(request: ApiRequest): Passing {
    return {
      clock: this.#env.clock,
      idle: this.#idle,
      drainGraceMs: this.limits.drainGraceMs,
      isHead: request.method === 'HEAD',
      cancel: (reason) => request.cancel(reason),
    };
  }

  /** Tunnels the client's connection to the upgraded backend connection. */
  tunnelled(answer: UpgradedAnswer, headers: HeaderList): UpgradeReply {
    const { socket, early } = answer;
    return {
      kind: 'upgrade',
      status: 101,
      headers,
      run: (client, { signal, draining }) => {
        if (early.length > 0) socket.unshift(early);
        return tunnel(client, socket, {
          signal,
          draining,
          clock: this.#env.clock,
          drainGraceMs: this.limits.drainGraceMs,
          idle: this.#idle,
          halfOpen: this.#halfOpen,
        });
      },
      abandon: () => void socket.destroy(),
    };
  }
}
