import { errors, type Names } from '@orch/machinery';
import type { ResourceRequest } from '@orch/request';
import type { AuditMetrics } from './audit-metrics.ts';
import { type AuditedAnswer, type AuditedRequest, eventMaker } from './event.ts';
import type { AuditSink, AuditStage } from './types.ts';

/** The audit annotation for a deprecated version of a resource; undefined for others. */
export type DeprecationOf = (info: ResourceRequest) => { readonly removed: string } | undefined;

export interface RecorderOptions {
  readonly names: Names;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sinks: readonly AuditSink[];
  readonly metrics: AuditMetrics;
  readonly deprecationOf: DeprecationOf;
}

/** Creates the events of a request and passes them to every sink. */
export class AuditRecorder {
  readonly #options: RecorderOptions;
  readonly #eventOf: ReturnType<typeof eventMaker>;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#eventOf = eventMaker(options.names, options.now);
  }

  /** Throws (500) when a sink that must not lose events drops the first event of a request. */
  record(audited: AuditedRequest, stage: AuditStage, answer?: AuditedAnswer): void {
    const { metrics, sinks } = this.#options;
    if (audited.decision.omitStages.has(stage)) return;
    if (stage !== 'RequestReceived') this.#annotate(audited);
    const event = this.#eventOf(audited, stage, answer);
    metrics.event();
    let isRefused = false;
    for (const sink of sinks) {
      if (sink.accept(event)) continue;
      metrics.lost(sink);
      isRefused ||= sink.isStrict && stage === 'RequestReceived';
    }
    if (!isRefused) return;
    metrics.rejected();
    throw errors.internal(undefined, 'the request could not be written to the audit log');
  }

  #annotate({ info, annotations }: AuditedRequest): void {
    const { names, deprecationOf } = this.#options;
    const deprecation = info.isResource ? deprecationOf(info) : undefined;
    if (deprecation === undefined) return;
    annotations.set(names.auditAnnotations.deprecated, 'true');
    if (deprecation.removed !== '')
      annotations.set(names.auditAnnotations.removedRelease, deprecation.removed);
  }
}
