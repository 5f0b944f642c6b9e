import { createTraceState, type SpanContext, TraceFlags } from '@opentelemetry/api';

/** Trace context header fields. */
export interface TraceFields {
  readonly traceparent?: string | readonly string[] | undefined;
  readonly tracestate?: string | readonly string[] | undefined;
}

/** Version, trace, span and flags (W3C Trace Context, section 3.2); later versions may append further fields. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const FIRST_VERSION = '00';
const NO_VERSION = 'ff';
/** Maximum length of `traceparent`; extensions of later versions are short too. */
const MAX_PARENT = 256;
/** Length of `tracestate` that every implementation must support; longer values are dropped. */
const MAX_STATE = 512;

const isZero = (id: string): boolean => /^0+$/.test(id);

/**
 * The client's span; undefined without a well-formed one. A malformed field does not affect the request: it only starts
 * a new trace.
 */
export function remoteParent({ traceparent, tracestate }: TraceFields): SpanContext | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_PARENT) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (version === undefined || version === NO_VERSION || isZero(traceId) || isZero(spanId)) return undefined;
  if (version === FIRST_VERSION && rest !== undefined) return undefined;
  const state = stateOf(tracestate);
  return {
    traceId,
    spanId,
    // Unknown flags of later versions are not propagated.
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(state === undefined ? {} : { traceState: state }),
  };
}

function stateOf(field: TraceFields['tracestate']): SpanContext['traceState'] {
  const text = typeof field === 'string' || field === undefined ? field : field.join(',');
  if (text === undefined || text === '' || text.length > MAX_STATE) return undefined;
  const state = createTraceState(text);
  return state.serialize() === '' ? undefined : state;
}

/** Header fields that propagate a span to another service. */
export function traceHeaders({
  traceId,
  spanId,
  traceFlags,
  traceState,
}: SpanContext): Readonly<Record<string, string>> {
  const flags = (traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01';
  const state = traceState?.serialize() ?? '';
  return {
    traceparent: `${FIRST_VERSION}-${traceId}-${spanId}-${flags}`,
    ...(state === '' ? {} : { tracestate: state }),
  };
}
