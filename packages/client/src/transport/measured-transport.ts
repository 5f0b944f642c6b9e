import type { Clock, CounterSeries, Family, HistogramSeries, Metrics } from '@orch/machinery';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** The metrics of a transport. */
export interface MeasuredTransportOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** `host:port` of the server, the label `host`. */
  readonly host: string;
}

/** 0.001 to 0.512 and, for lists, up to a minute. */
const buckets = [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 4, 15, 60];

/** Label `code` of a request without a response. */
const NO_RESPONSE = '<error>';

/**
 * Counts and times the requests of a transport: `rest_client_requests_total`, and `rest_client_request_duration_seconds` up to
 * the head of the response. Transports to the same server share their series.
 */
export const measuredTransport = (transport: Transport, options: MeasuredTransportOptions): Transport =>
  new MeasuredTransport(transport, options);

class MeasuredTransport implements Transport {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #host: string;
  readonly #total: Family<CounterSeries>;
  readonly #durations: Family<HistogramSeries>;
  /** By method; there are few, since callers choose them. */
  readonly #byMethod = new Map<string, HistogramSeries>();
  /** By method and code. */
  readonly #byOutcome = new Map<string, CounterSeries>();

  constructor(transport: Transport, { clock, metrics, host }: MeasuredTransportOptions) {
    this.#transport = transport;
    this.#clock = clock;
    this.#host = host;
    this.#total = metrics.counter({
      name: 'rest_client_requests_total',
      help: 'Requests of the client library by code, method and host; the code of a request without a response is <error>.',
      labels: ['code', 'host', 'method'],
      stability: 'ALPHA',
    });
    this.#durations = metrics.histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Time until the head of the response to a request of the client library, by method and host.',
      labels: ['url', 'verb'],
      buckets,
      stability: 'ALPHA',
    });
  }

  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    const started = this.#clock.monotonic();
    let code = NO_RESPONSE;
    try {
      const response = await this.#transport.send(request, signal);
      code = String(response.status);
      return response;
    } finally {
      this.#durationOf(request.method).observe((this.#clock.monotonic() - started) / 1000);
      this.#counterOf(code, request.method).inc();
    }
  }

  reset(reason: string): void {
    this.#transport.reset(reason);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #durationOf(method: string): HistogramSeries {
    let series = this.#byMethod.get(method);
    if (series === undefined) {
      // Paths name objects, and would be too many label values.
      series = this.#durations.series(`https://${this.#host}/%7Bprefix%7D`, method);
      this.#byMethod.set(method, series);
    }
    return series;
  }

  #counterOf(code: string, method: string): CounterSeries {
    const key = `${method} ${code}`;
    let series = this.#byOutcome.get(key);
    if (series === undefined) {
      series = this.#total.series(code, this.#host, method);
      this.#byOutcome.set(key, series);
    }
    return series;
  }
}
