import type { Names } from '@orch/machinery';
import { encodeJson } from '@orch/machinery/json';
import type { AuditEvent, AuditSink } from './types.ts';

/** Sizes of events, computed once and cached as long as the event is alive. */
export class EventSizes {
  readonly #sizes = new WeakMap<AuditEvent, number>();

  /** Size of the event as JSON in bytes. */
  of(event: AuditEvent): number {
    const cached = this.#sizes.get(event);
    if (cached !== undefined) return cached;
    const size = encodeJson(event).length;
    this.#sizes.set(event, size);
    return size;
  }
}

/**
 * Passes on events up to a size. A larger one is sent without its objects and with an annotation; one that is still
 * too large is dropped.
 */
export function limitedSink(
  sink: AuditSink,
  options: { readonly maxEventBytes: number; readonly sizes: EventSizes },
  { auditAnnotations }: Pick<Names, 'auditAnnotations'>,
): AuditSink {
  const { maxEventBytes, sizes } = options;
  const fitting = (event: AuditEvent): AuditEvent | undefined => {
    if (sizes.of(event) <= maxEventBytes) return event;
    const { requestObject: _request, responseObject: _response, annotations, ...rest } = event;
    const shortened = { ...rest, annotations: { ...annotations, [auditAnnotations.truncated]: 'true' } };
    return sizes.of(shortened) <= maxEventBytes ? shortened : undefined;
  };
  return {
    plugin: sink.plugin,
    isStrict: sink.isStrict,
    accept(event) {
      const fits = fitting(event);
      return fits !== undefined && sink.accept(fits);
    },
    close: (signal) => sink.close(signal),
  };
}

/** Converts events to the version of the sink. */
export const versionedSink = (sink: AuditSink, apiVersion: string): AuditSink => ({
  plugin: sink.plugin,
  isStrict: sink.isStrict,
  accept: (event) => sink.accept(event.apiVersion === apiVersion ? event : { ...event, apiVersion }),
  close: (signal) => sink.close(signal),
});
