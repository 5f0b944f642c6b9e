import { encodeJson, type Names } from '@orch/machinery';
import type { AuditEvent, AuditSink } from './types.ts';

/** What is cached of an event's size: it is worked out once, and forgotten with the event. */
export class EventSizes {
  readonly #sizes = new WeakMap<AuditEvent, number>();

  /** Bytes of the event as JSON. */
  of(event: AuditEvent): number {
    const cached = this.#sizes.get(event);
    if (cached !== undefined) return cached;
    const size = encodeJson(event).length;
    this.#sizes.set(event, size);
    return size;
  }
}

/**
 * Hands on events that are not too large. One that is loses its objects, and says so in an annotation; one that is still
 * too large is lost.
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

/** Hands on events as those of the version that a sink is to get. */
export const versionedSink = (sink: AuditSink, apiVersion: string): AuditSink => ({
  plugin: sink.plugin,
  isStrict: sink.isStrict,
  accept: (event) => sink.accept(event.apiVersion === apiVersion ? event : { ...event, apiVersion }),
  close: (signal) => sink.close(signal),
});
