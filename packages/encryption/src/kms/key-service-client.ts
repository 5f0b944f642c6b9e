import type { Env } from '@orch/machinery';
import { Semaphore } from '@orch/machinery/concurrency';
import { Channel, RpcError, type UnaryMethod, unixEndpoint } from '@orch/storage/grpc';
import type { KmsConfiguration } from '../configuration/kms-provider.ts';
import { KeyServiceError, keyServiceError } from './key-service-error.ts';
import type { KeyServiceMetrics } from './key-service-metrics.ts';

/** Calls at the same time. */
const MAX_CALLS = 64;
/** Time after a call without an answer during which further calls fail at once. */
const PAUSE_MS = 1_000;
/** Answers contain one key, and annotations of 32 KiB at most. */
const MAX_ANSWER_BYTES = 256 * 1024;
const KEEPALIVE_MS = 10_000;

/** Calls of a key service over its Unix socket. Rejects with `KeyServiceError`. */
export class KeyServiceClient {
  /** Names the service in errors. */
  readonly what: string;
  readonly #channel: Channel;
  readonly #clock: Env['clock'];
  readonly #metrics: KeyServiceMetrics;
  readonly #timeoutMs: number;
  readonly #calls = new Semaphore(MAX_CALLS);
  readonly #closed = new AbortController();
  #silence: { readonly until: number; readonly error: KeyServiceError } | undefined;

  constructor(configuration: KmsConfiguration, env: Env, metrics: KeyServiceMetrics) {
    const { name, socketPath, timeoutMs } = configuration;
    this.what = `the KMS provider ${JSON.stringify(name)}`;
    this.#clock = env.clock;
    this.#metrics = metrics;
    this.#timeoutMs = timeoutMs;
    this.#channel = new Channel({
      ...env,
      endpoints: [unixEndpoint(socketPath)],
      tls: undefined,
      dialTimeoutMs: timeoutMs,
      keepaliveMs: KEEPALIVE_MS,
      keepaliveTimeoutMs: timeoutMs,
      maxMessageBytes: MAX_ANSWER_BYTES,
      maxWaiting: MAX_CALLS,
      peer: this.what,
    });
  }

  async call<Request, Response>(method: UnaryMethod<Request, Response>, request: Request): Promise<Response> {
    const { signal } = this.#closed;
    const release = await this.#calls.acquire(signal);
    try {
      if (this.#silence !== undefined && this.#clock.monotonic() < this.#silence.until)
        throw this.#silence.error;
      return await this.#sent(method, request, signal);
    } finally {
      release();
    }
  }

  close(): void {
    this.#closed.abort(new KeyServiceError(`${this.what} is not used any more`, { isTemporary: true }));
    this.#channel.close();
  }

  async #sent<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    signal: AbortSignal,
  ): Promise<Response> {
    const started = this.#clock.monotonic();
    let code = 0;
    try {
      const response = await this.#channel.unary(method, request, { timeoutMs: this.#timeoutMs, signal });
      this.#silence = undefined;
      return response;
    } catch (error) {
      code = error instanceof RpcError ? error.code : 2;
      const failure = keyServiceError(this.what, error);
      if (error instanceof RpcError && error.failure !== 'answered')
        this.#silence = { until: this.#clock.monotonic() + PAUSE_MS, error: failure };
      throw failure;
    } finally {
      this.#metrics.called(method.path, code, (this.#clock.monotonic() - started) / 1000);
    }
  }
}
