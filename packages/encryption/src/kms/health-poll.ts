import { type Env, messageOf } from '@orch/machinery';
import { onAbort } from '@orch/machinery/concurrency';

export interface HealthPollOptions {
  readonly env: Pick<Env, 'clock' | 'log'>;
  /** Names the service in the log. */
  readonly what: string;
  /** Rejects while the service cannot be used. */
  readonly probe: () => Promise<void>;
  /** Time between two probes of a healthy service, and of one that is not. */
  readonly healthyMs: number;
  readonly unhealthyMs: number;
  /** The service works again after calls of it have failed. */
  readonly recovered: () => void;
}

/** Probes a service at intervals, and at once when a call of it has failed. */
export class HealthPoll {
  readonly #options: HealthPollOptions;
  #failure: string | undefined = 'it has not been probed yet';
  #hasFailedCalls = false;
  #probing: Promise<void> | undefined;
  #wake = (): void => {};

  constructor(options: HealthPollOptions) {
    this.#options = options;
  }

  /** The reason why the last probe failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Probes until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.probe().catch(() => undefined);
      const { healthyMs, unhealthyMs } = this.#options;
      await this.#pause(this.#failure === undefined ? healthyMs : unhealthyMs, signal);
    }
  }

  /** Probes now; callers at the same time share one probe. Rejects when it fails. */
  probe(): Promise<void> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  /** A call has failed, which may succeed later. */
  callFailed(): void {
    this.#hasFailedCalls = true;
    if (this.#failure === undefined) this.#wake();
  }

  async #probe(): Promise<void> {
    const { probe, recovered, what, env } = this.#options;
    try {
      await probe();
    } catch (error) {
      if (this.#failure !== messageOf(error))
        env.log.warn(`${what} is not healthy`, { reason: messageOf(error) });
      this.#failure = messageOf(error);
      throw error;
    }
    if (this.#failure !== undefined) env.log.info(`${what} is healthy`);
    this.#failure = undefined;
    if (!this.#hasFailedCalls) return;
    this.#hasFailedCalls = false;
    recovered();
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        unregister();
        this.#wake = () => {};
        resolve();
      };
      const cancel = this.#options.env.clock.schedule(ms, end);
      const unregister = onAbort(signal, end);
      this.#wake = end;
    });
  }
}
