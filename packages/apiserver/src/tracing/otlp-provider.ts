import { createRequire } from 'node:module';
import type { BasicTracerProvider, ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { type Env, messageOf } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { StartError } from '@orch/program';
import type { TracingConfiguration } from './tracing-configuration.ts';

type Sdk = typeof import('@opentelemetry/sdk-trace-base');
type Exporters = typeof import('@opentelemetry/exporter-trace-otlp-grpc');

const sdkPackage = '@opentelemetry/sdk-trace-base';
const SERVICE = 'apiserver';
const exporterPackage = '@opentelemetry/exporter-trace-otlp-grpc';

/** Interval of log entries about spans that the collector did not accept. */
const LOGGED_MS = 60_000;
/** Maximum time to export the remaining spans at the end. */
const CLOSE_MS = 5_000;

/** A tracer provider that exports spans to a collector. */
export interface OtlpProvider {
  readonly provider: BasicTracerProvider;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}

/**
 * Starts the export of spans over OTLP, over gRPC and without TLS. The packages of the SDK are not part of the program: they are
 * loaded from its location, and from the folders of `NODE_PATH`. Throws a `StartError` when they are missing.
 */
export function openOtlpProvider({ endpoint, share }: TracingConfiguration, env: Env): OtlpProvider {
  const load = createRequire(import.meta.url);
  const { BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler } =
    required<Sdk>(load, sdkPackage);
  const { OTLPTraceExporter } = required<Exporters>(load, exporterPackage);
  // The processor has a bounded queue, and drops spans beyond it.
  const exporter = countedExporter(new OTLPTraceExporter({ url: `http://${endpoint}` }), endpoint, env);
  const provider = new BasicTracerProvider({
    resource: serviceResource(load),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  return {
    provider,
    async close() {
      const ended = new AbortController();
      const limit = sleep(env.clock, CLOSE_MS, ended.signal).catch(() => undefined);
      await Promise.race([provider.shutdown().catch(() => undefined), limit]);
      ended.abort();
    },
  };
}

function required<T>(load: NodeJS.Require, name: string): T {
  try {
    return load(name) as T;
  } catch (error) {
    throw new StartError(
      `--tracing-config-file needs packages that are not part of the program: install ${sdkPackage} (2.x) and ${exporterPackage} next to it, or in a folder of NODE_PATH (${messageOf(error).split('\n')[0]})`,
      { cause: error },
    );
  }
}

/** The name of the server for dashboards. The package is a dependency of the SDK. */
const serviceResource = (load: NodeJS.Require) =>
  required<typeof import('@opentelemetry/resources')>(
    createRequire(load.resolve(sdkPackage)),
    '@opentelemetry/resources',
  ).resourceFromAttributes({ 'service.name': SERVICE });

/** Counts spans by whether the collector accepted them, and logs that it does not at intervals. */
function countedExporter(exporter: SpanExporter, endpoint: string, env: Env): SpanExporter {
  const spans = env.metrics.counter({
    name: 'apiserver_tracing_spans_total',
    help: 'Spans sent to the collector, by whether it accepted them.',
    labels: ['outcome'],
    stability: 'ALPHA',
  });
  const [accepted, lost] = [spans.series('accepted'), spans.series('lost')];
  let loggedAt = Number.NEGATIVE_INFINITY;
  const failed = (count: number, error: Error | undefined): void => {
    lost.inc(count);
    const now = env.clock.monotonic();
    if (now - loggedAt < LOGGED_MS) return;
    loggedAt = now;
    env.log.warn('the collector of traces does not accept spans', {
      endpoint,
      error: error?.message ?? 'no reason is known',
    });
  };
  return {
    export(batch: ReadableSpan[], done) {
      exporter.export(batch, (result) => {
        // 0 is success.
        if (result.code === 0) accepted.inc(batch.length);
        else failed(batch.length, result.error);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
