import type { Clock, Family, HistogramSeries, Metrics } from '@orch/machinery';

export type ReadDocument = 'discovery' | 'openapi_v2' | 'openapi_v3';

/** Series about reads of documents of extension API servers. */
export class ReadMetrics {
  readonly #clock: Clock;
  readonly #seconds: Family<HistogramSeries>;

  constructor({ metrics, clock }: { readonly metrics: Metrics; readonly clock: Clock }) {
    this.#clock = clock;
    this.#seconds = metrics.histogram({
      name: 'aggregator_document_read_duration_seconds',
      help: 'Duration of reads of the documents of extension API servers, by document and result (success or error).',
      labels: ['document', 'result'],
      stability: 'ALPHA',
      buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    });
  }

  async measure<T>(document: ReadDocument, read: () => Promise<T>): Promise<T> {
    const from = this.#clock.monotonic();
    const observe = (result: 'success' | 'error'): void =>
      this.#seconds.series(document, result).observe((this.#clock.monotonic() - from) / 1000);
    try {
      const found = await read();
      observe('success');
      return found;
    } catch (error) {
      observe('error');
      throw error;
    }
  }
}
