import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  context as contexts,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { remoteParent, type TraceFields, traceHeaders } from './trace-headers.ts';

const LIBRARY = 'orch';

/** An open span with its context. */
export interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
}

/** Name, kind and initial attributes of a span. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: Attributes;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<SpanStart['kind'], SpanKind>;

/**
 * The spans of this process. The active context is kept here and passed to the SDK, so that spans have parents
 * whether or not the SDK has a context manager.
 */
export class Tracing {
  readonly #tracer: Tracer;
  readonly #active = new AsyncLocalStorage<Context>();

  constructor(provider: TracerProvider) {
    this.#tracer = provider.getTracer(LIBRARY);
  }

  /** The active context; undefined outside of requests. */
  active(): Context | undefined {
    return this.#active.getStore();
  }

  /** The trace of the active span, if the span is sampled. */
  traceId(): string | undefined {
    const context = this.active();
    const span = context === undefined ? undefined : trace.getSpanContext(context);
    if (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
    return isSpanContextValid(span) ? span.traceId : undefined;
  }

  within<T>(context: Context | undefined, work: () => T): T {
    return context === undefined ? work() : this.#active.run(context, () => contexts.with(context, work));
  }

  /** Starts a span in the active context. The caller ends it. */
  begin(start: SpanStart, parent = this.active() ?? ROOT_CONTEXT): OpenSpan {
    const { name, kind, attributes = {} } = start;
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
    return { span, context: trace.setSpan(parent, span) };
  }

  /** Starts the span of a request, as a child of the client's span. */
  beginRequest(start: SpanStart, fields: TraceFields): OpenSpan {
    const parent = remoteParent(fields);
    return this.begin(
      start,
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
  }

  /** Header fields that propagate the active span; none outside of requests. */
  headers(context = this.active()): Readonly<Record<string, string>> {
    const spanContext = context === undefined ? undefined : trace.getSpanContext(context);
    return spanContext !== undefined && isSpanContextValid(spanContext) ? traceHeaders(spanContext) : {};
  }

  /** Runs work in a span of the active context; without a span outside of requests. */
  async spanned<T>(start: SpanStart, work: () => Promise<T>): Promise<T> {
    if (this.active() === undefined) return work();
    const { span, context } = this.begin(start);
    try {
      return await this.within(context, work);
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  }
}

/** Marks a span as failed with the type of the error: messages may contain data that must not be in a trace. */
export function failSpan(span: Span, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const type = error instanceof Error ? error.name : 'unknown';
  span.setAttribute('error.type', typeof code === 'string' || typeof code === 'number' ? String(code) : type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Tracing through the SDK that was loaded before the program started; undefined when there is none: then nothing of
 * this folder runs. Copies of the API package share one global, so that bundling does not matter.
 */
export function openTracing(): Tracing | undefined {
  const provider = trace.getTracerProvider();
  return isRegistered(provider) ? new Tracing(provider) : undefined;
}

/** Without a registered provider, the API returns a proxy to a provider that does nothing. */
const isRegistered = (provider: TracerProvider): boolean =>
  !(provider instanceof ProxyTracerProvider) ||
  provider.getDelegate() !== new ProxyTracerProvider().getDelegate();
