import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import { whenFulfilled, whenRejected } from '@orch/machinery/concurrency';
import {
  CLIENT_GONE_CODE,
  type Reply,
  type RequestInfo,
  type ResourceRequest,
  type Stage,
  type WithInfo,
} from '@orch/request';
import type { SpanStart, Tracing } from './tracing.ts';

/** Maximum length of client text in a span. */
const MAX_TEXT = 256;
const FIRST_FAILURE = 500;
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * One span per request, a child of the client's span (W3C Trace Context). It ends when the reply was written, or begins
 * if its end is open (watches, upgrades). `isServed` selects the paths that appear in span names: other paths are
 * text of clients.
 */
export const requestSpan =
  (tracing: Tracing, isServed: (info: RequestInfo) => boolean): Stage<WithInfo> =>
  (context, next) => {
    const { request } = context;
    const { span, context: inner } = tracing.beginRequest(startOf(context, isServed), {
      traceparent: request.headers['traceparent'],
      tracestate: request.headers['tracestate'],
    });
    const done = (reply: Reply): Reply => answered(span, reply);
    const fail = (error: unknown): never => {
      end(span, FIRST_FAILURE);
      throw error;
    };
    try {
      const answer = tracing.within(inner, () => next(context));
      return whenFulfilled(whenRejected(answer, fail), done);
    } catch (error) {
      return fail(error);
    }
  };

function startOf(
  { request, info }: WithInfo,
  isServed: (info: RequestInfo) => boolean,
): SpanStart & { readonly attributes: Attributes } {
  const method = methods.has(request.method) ? request.method : '_OTHER';
  const route = isServed(info) ? routeOf(info) : undefined;
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'url.scheme': 'https',
      'url.path': cut(request.rawPath),
      ...(route === undefined ? {} : { 'http.route': route }),
      'user_agent.original': cut(String(request.headers['user-agent'] ?? '')),
      'client.address': request.remoteAddress,
      'audit.id': request.id,
    },
  };
}

const cut = (text: string): string => text.slice(0, MAX_TEXT);

/** The path with placeholders for names. */
const routeOf = (info: RequestInfo): string => (info.isResource ? resourceRoute(info) : info.path);

function resourceRoute(info: ResourceRequest): string {
  const { group, version, resource, subresource, isInNamespace, name, rest } = info;
  const base = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const within = isInNamespace ? '/namespaces/{namespace}' : '';
  const below = subresource === '' ? '' : `/${subresource}`;
  return `${base}${within}/${resource}${name === '' ? '' : '/{name}'}${below}${rest === '' ? '' : '/{path}'}`;
}

/** Ends the span with the reply. */
function answered(span: Span, reply: Reply): Reply {
  if (reply.kind !== 'chunks') {
    end(span, reply.status);
    return reply;
  }
  return {
    ...reply,
    onSent(bytes, isComplete) {
      reply.onSent?.(bytes, isComplete);
      end(span, isComplete ? reply.status : CLIENT_GONE_CODE);
    },
  };
}

function end(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= FIRST_FAILURE) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
