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
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { remoteParent, type TraceFields, traceHeaders } from './trace-headers.ts';

const LIBRARY = 'orch';

/** A span that is open, and what runs within it. */
export interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
}

/** What a span is called, and what is known of it when it begins. */
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
 * The spans of this process. What runs now is remembered here and told to the SDK as well, so that spans have their
 * parents whether or not the SDK brings something that remembers.
 */
export class Tracing {
  readonly #tracer: Tracer;
  readonly #active = new AsyncLocalStorage<Context>();

  constructor(provider: TracerProvider) {
    this.#tracer = provider.getTracer(LIBRARY);
  }

  /** What runs now; undefined outside of requests. */
  active(): Context | undefined {
    return this.#active.getStore();
  }

  within<T>(context: Context | undefined, work: () => T): T {
    return context === undefined ? work() : this.#active.run(context, () => contexts.with(context, work));
  }

  /** Begins a span of what runs now. Whoever begins it ends it. */
  begin(start: SpanStart, parent = this.active() ?? ROOT_CONTEXT): OpenSpan {
    const { name, kind, attributes = {} } = start;
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
    return { span, context: trace.setSpan(parent, span) };
  }

  /** Begins the span of a request, as part of what its sender says. */
  beginRequest(start: SpanStart, fields: TraceFields): OpenSpan {
    const parent = remoteParent(fields);
    return this.begin(
      start,
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    );
  }

  /** The header fields that make what another service does a part of what runs now; none outside of requests. */
  headers(context = this.active()): Readonly<Record<string, string>> {
    const spanContext = context === undefined ? undefined : trace.getSpanContext(context);
    return spanContext !== undefined && isSpanContextValid(spanContext) ? traceHeaders(spanContext) : {};
  }

  /** Work that is a span of what runs now; outside of requests it is no span. */
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

/** Marks a span as failed by what kind of failure it was: messages may hold what a trace must not. */
export function failSpan(span: Span, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const type = error instanceof Error ? error.name : 'unknown';
  span.setAttribute('error.type', typeof code === 'string' || typeof code === 'number' ? String(code) : type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/**
 * Tracing through the SDK that was loaded before the program began; undefined when there is none, and then nothing of
 * this folder runs. Copies of the interface find each other, so that it does not matter that programs are bundled.
 */
export function openTracing(): Tracing | undefined {
  const provider = trace.getTracerProvider();
  return isRegistered(provider) ? new Tracing(provider) : undefined;
}

/** Where nobody has registered anything, the interface's own provider leads to one that does nothing. */
const isRegistered = (provider: TracerProvider): boolean =>
  !(provider instanceof ProxyTracerProvider) ||
  provider.getDelegate() !== new ProxyTracerProvider().getDelegate();
