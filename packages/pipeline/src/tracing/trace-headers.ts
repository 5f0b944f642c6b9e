import { createTraceState, type SpanContext, TraceFlags } from '@opentelemetry/api';

/** Header fields of a request, or what stands for them. */
export interface TraceFields {
  readonly traceparent?: string | readonly string[] | undefined;
  readonly tracestate?: string | readonly string[] | undefined;
}

/** Version, trace, span and flags (W3C Trace Context, section 3.2); later versions may go on behind another dash. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const FIRST_VERSION = '00';
const NO_VERSION = 'ff';
/** Longest field that is looked at: what later versions add is short too. */
const MAX_PARENT = 256;
/** What every reader must be able to take of the other field; more than that is left out as a whole. */
const MAX_STATE = 512;

const isZero = (id: string): boolean => /^0+$/.test(id);

/**
 * The span that a request says it is part of; undefined when it says nothing, or nothing that is well formed. Whatever
 * a client sends here, its request is served: the worst that it can do is to begin a trace of its own.
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
    // Of the flags of later versions nothing is known: they are not passed on.
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

/** The fields by which another service learns what it is part of. */
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
