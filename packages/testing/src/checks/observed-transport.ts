import {
  type LoadedConfig,
  type Transport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@orch/client';

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Objects that record work, whose writes change no state. */
const records = /\/(?:events|leases)(?:\/|\?|$)/;

const isStateWrite = ({ method, target }: TransportRequest): boolean =>
  !reads.has(method) && !records.test(target);

/** Counts requests, and ends after a write as a process does that is killed. */
export class ObservedTransport implements Transport {
  readonly #transport: Transport;
  readonly #endAfter: number;
  readonly #onEnd: () => void;
  #requests = 0;
  #writes = 0;

  /** `endAfter` is the number of the last write; none when absent. */
  constructor(
    transport: Transport,
    endAfter = Number.POSITIVE_INFINITY,
    onEnd: () => void = () => undefined,
  ) {
    this.#transport = transport;
    this.#endAfter = endAfter;
    this.#onEnd = onEnd;
  }

  /** Requests of objects other than watches. */
  get requests(): number {
    return this.#requests;
  }

  /** Writes of objects other than Events and Leases. */
  get writes(): number {
    return this.#writes;
  }

  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    if (!/[?&]watch=/.test(request.target) && !records.test(request.target)) this.#requests++;
    if (reads.has(request.method)) return this.#transport.send(request, signal);
    if (this.#writes >= this.#endAfter) throw new TransportError('notSent', 'the process has ended');
    if (isStateWrite(request)) this.#writes++;
    const isLast = this.#writes >= this.#endAfter;
    const answer = await this.#transport.send(request, signal);
    if (!isLast) return answer;
    for await (const _ of answer.body);
    this.#onEnd();
    throw new TransportError('unknown', 'the process has ended');
  }

  reset(reason: string): void {
    this.#transport.reset(reason);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

/** The configuration with another transport. */
export const over = (config: LoadedConfig, transport: Transport): LoadedConfig => ({ ...config, transport });
