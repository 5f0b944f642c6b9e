import type { Env } from '@orch/machinery';
import { type ApiRequest, isLongRunning, type RequestInfo, type Trace } from '@orch/request';

const SLOW_MS = 1000;

/** At this verbosity of the log every request is logged. */
const EVERY_REQUEST = 3;

const SERVER_ERROR = 500;

/** Resolution of the share. */
const MILLION = 1_000_000;

/** Maximum number of sampled requests that are logged in a second. */
const MOST_PER_SECOND = 1000;

/** The share of requests, 0 to 1, that are logged though they are neither slow nor failed. It may be changed. */
export interface AccessLogSample {
  share: number;
}

export interface AccessLogOptions extends Pick<Env, 'clock' | 'random' | 'log'> {
  readonly sample: Readonly<AccessLogSample>;
}

/** A request that has been answered. */
export interface FinishedRequest {
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly trace: Trace;
  readonly code: number;
  readonly bytes: number;
  readonly durationMs: number;
}

/** Logs slow and failed requests, and a sample of the others, which has a maximum rate. */
export class AccessLog {
  readonly #options: AccessLogOptions;
  #second = Number.NaN;
  #inSecond = 0;
  #left = 0;

  constructor(options: AccessLogOptions) {
    this.#options = options;
  }

  finished(finished: FinishedRequest): void {
    const { log, sample } = this.#options;
    const isSlow = finished.durationMs > SLOW_MS && !isLongRunning(finished.info);
    if (isSlow || finished.code >= SERVER_ERROR) log.warn('request was slow or failed', fieldsOf(finished));
    else if (log.enabled(EVERY_REQUEST)) log.debug(EVERY_REQUEST, 'request', fieldsOf(finished));
    else if (sample.share > 0) this.#sampled(finished);
  }

  #sampled(finished: FinishedRequest): void {
    const { clock, random, log, sample } = this.#options;
    if (sample.share < 1 && random.int(MILLION) >= sample.share * MILLION) return;
    const second = Math.floor(clock.monotonic() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
    }
    this.#inSecond += 1;
    if (this.#inSecond > MOST_PER_SECOND) {
      this.#left += 1;
      return;
    }
    log.info('request', { ...fieldsOf(finished), ...(this.#left > 0 && { leftOut: this.#left }) });
    this.#left = 0;
  }
}

const fieldsOf = ({ request, info, trace, code, bytes, durationMs }: FinishedRequest) => ({
  requestId: request.id,
  verb: info.verb,
  method: request.method,
  uri: request.rawQuery === '' ? request.rawPath : `${request.rawPath}?${request.rawQuery}`,
  code,
  bytes,
  durationMs: Math.round(durationMs * 10) / 10,
  user: trace.user,
  ...(trace.impersonated === undefined ? {} : { actingAs: trace.impersonated.name }),
  userAgent: request.headers['user-agent'] ?? '',
  client: request.remoteAddress,
});
