import { sleep } from '@orch/machinery/concurrency';
import type { Connection } from '../http2/connection.ts';
import { Channel, type ChannelOptions } from './channel.ts';
import type { Metadata, UnaryMethod } from './method.ts';
import type { CallOptions } from './unary-call.ts';

/** Makes one unary call. */
export type UnaryCaller = <Request, Response>(
  method: UnaryMethod<Request, Response>,
  request: Request,
  options: CallOptions,
) => Promise<Response>;

/** A working member answers within milliseconds; an election takes a second. */
const LATE_MS = 300;
/** Maximum number of concurrent calls to a second member; others only wait for the first one. */
const MAX_HEDGES = 16;
/** Number of consecutive calls answered elsewhere first after which a member is left. */
const LOST_IN_A_ROW = 2;

const MAX_PROBES = 10;
const NEVER = new AbortController().signal;

/**
 * Hedged requests: calls without effect that are repeated at another member when the first one is late; the first
 * answer is used. A reachable member that is partitioned from its cluster would otherwise delay reads until their
 * deadline.
 */
export class HedgedCalls {
  readonly #primary: Channel;
  readonly #options: Omit<ChannelOptions, 'avoid'>;
  #second: Channel | undefined;
  #metadata: Metadata = [];
  #underWay = 0;
  #losing: Connection | undefined;
  #lost = 0;
  #examining = false;
  #closed = false;

  constructor(primary: Channel, options: Omit<ChannelOptions, 'avoid'>) {
    this.#primary = primary;
    this.#options = options;
  }

  setMetadata(metadata: Metadata): void {
    this.#metadata = metadata;
    this.#second?.setMetadata(metadata);
  }

  close(): void {
    this.#closed = true;
    this.#second?.close();
  }

  /** Rejects with the first call's failure. The slower call is not aborted and may end later. */
  unary<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    options: CallOptions,
  ): Promise<Response> {
    let second: Promise<Response> | undefined;
    return new Promise((resolve, reject) => {
      const act = (connection: Connection | undefined): void => {
        if (this.#underWay >= MAX_HEDGES || this.#closed) return;
        second = this.#again(method, request, { ...options, timeoutMs: options.timeoutMs - LATE_MS });
        second.then(
          (response) => {
            if (!answered) this.#onLost(connection);
            resolve(response);
          },
          () => undefined,
        );
      };
      let answered = false;
      this.#primary.unary(method, request, { ...options, late: { afterMs: LATE_MS, act } }).then(
        (response) => {
          answered = true;
          this.#lost = 0;
          resolve(response);
        },
        (error: unknown) => {
          answered = true;
          const fail = (): void => reject(error);
          if (second === undefined) fail();
          else second.catch(fail);
        },
      );
    });
  }

  /**
   * Checks the member in use when a call that cannot be repeated is late: `probe` makes hedged calls until that member
   * answers, or is left.
   */
  async examine(probe: () => Promise<unknown>): Promise<void> {
    if (this.#examining) return;
    this.#examining = true;
    for (let round = 0; round < MAX_PROBES && !this.#closed; round++) {
      try {
        await probe();
        if (this.#lost === 0) break;
      } catch {
        await sleep(this.#options.clock, LATE_MS, NEVER);
      }
    }
    this.#examining = false;
  }

  async #again<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    options: CallOptions,
  ): Promise<Response> {
    this.#underWay++;
    try {
      return await this.#other().unary(method, request, options);
    } finally {
      this.#underWay--;
    }
  }

  /** A channel to another member than the first channel's. */
  #other(): Channel {
    const primary = this.#primary;
    if (this.#second === undefined) {
      this.#second = new Channel({ ...this.#options, avoid: () => primary.endpoint });
      this.#second.setMetadata(this.#metadata);
    } else if (this.#second.endpoint === primary.endpoint) {
      this.#second.leaveCurrent('it is asked already');
    }
    return this.#second;
  }

  #onLost(connection: Connection | undefined): void {
    this.#lost = connection === this.#losing ? this.#lost + 1 : 1;
    this.#losing = connection;
    if (connection === undefined || this.#lost < LOST_IN_A_ROW) return;
    if (this.#primary.leave(connection, 'other members answer sooner')) this.#lost = 0;
  }
}
