import { ApiError, type Clock, type Metrics, type Names } from '@orch/machinery';
import { whenFulfilled, whenRejected } from '@orch/machinery/concurrency';
import { isJsonObject } from '@orch/machinery/json';
import {
  type Answer,
  type ApiRequest,
  apiErrorOf,
  attributesOf,
  causeOf,
  type Handler,
  type Identified,
  isLongRunning,
  isUnexpected,
  type Observed,
  type Reply,
  type Stage,
} from '@orch/request';
import { auditedReply } from './audited-reply.ts';
import { CapturedRequest } from './captured-request.ts';
import { type AuditMetrics, auditMetrics } from './event/audit-metrics.ts';
import { type AuditedAnswer, type AuditedRequest, statusOfError } from './event/event.ts';
import { AuditRecorder, type DeprecationOf } from './event/recorder.ts';
import { type AuditSink, reachesLevel } from './event/types.ts';
import { headerOf, type ReadProtobuf, readAudited } from './object-reader.ts';
import type { AuditPolicyEvaluator } from './policy/policy.ts';

/** The sinks and the policy of the audit. */
export interface AuditOptions {
  readonly evaluate: AuditPolicyEvaluator;
  readonly sinks: readonly AuditSink[];
  readonly readProtobuf: ReadProtobuf;
  readonly deprecationOf: DeprecationOf;
}

const unauthenticated = { name: '', uid: '', groups: [], extra: {} };

interface AuditEnv {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly names: Names;
}

/**
 * Records who requested what, and the result. `identified` follows authentication, `refused` precedes it: it
 * records only requests that authentication refused.
 */
export function audit(
  options: AuditOptions,
  env: AuditEnv,
): { readonly refused: Stage<Observed>; readonly identified: Stage<Identified> } {
  const auditor = new Auditor(options, env);
  return {
    refused: (context, next) => auditor.refused(context, next),
    identified: (context, next) => auditor.identified(context, next),
  };
}

class Auditor {
  readonly #evaluate: AuditPolicyEvaluator;
  readonly #readProtobuf: ReadProtobuf;
  readonly #clock: Clock;
  readonly #metrics: AuditMetrics;
  readonly #recorder: AuditRecorder;

  constructor(options: AuditOptions, { clock, metrics, names }: AuditEnv) {
    this.#evaluate = options.evaluate;
    this.#readProtobuf = options.readProtobuf;
    this.#clock = clock;
    this.#metrics = auditMetrics(metrics);
    this.#recorder = new AuditRecorder({ ...options, names, now: () => clock.now(), metrics: this.#metrics });
  }

  refused(context: Observed, next: Handler<Observed>): Answer {
    try {
      return whenRejected(next(context), this.#refusal, context);
    } catch (error) {
      return this.#refusal(error, context);
    }
  }

  // An arrow function, because it is passed on as a continuation.
  readonly #refusal = (error: unknown, context: Observed): never => {
    // After authentication the other stage has recorded the request.
    if (context.trace.user === '') {
      const audited = this.#begin(context, undefined);
      if (audited.decision.level !== 'None')
        this.#recorder.record(audited, 'ResponseComplete', failureOf(error, context.request));
    }
    throw error;
  };

  identified(context: Identified, next: Handler<Identified>): Answer {
    const audited = this.#begin(context, context.user);
    if (audited.decision.level === 'None') return next(context);
    const exchange = new AuditedExchange(context, audited, {
      recorder: this.#recorder,
      readProtobuf: this.#readProtobuf,
    });
    return exchange.handle(next);
  }

  #begin({ request, info }: Observed, user: Identified['user'] | undefined): AuditedRequest {
    const decision = this.#evaluate(attributesOf(info, user ?? unauthenticated, request.rawQuery));
    this.#metrics.level(decision.level);
    const annotations = new Map<string, string>();
    const receivedAt = this.#clock.now();
    return {
      request,
      info,
      decision,
      receivedAt,
      user,
      impersonated: undefined,
      requestObject: undefined,
      annotations,
    };
  }
}

interface ExchangeTools {
  readonly recorder: AuditRecorder;
  readonly readProtobuf: ReadProtobuf;
}

/** An audited request, from its receipt to the end of its reply. */
class AuditedExchange {
  readonly #context: Identified;
  readonly #audited: AuditedRequest;
  readonly #tools: ExchangeTools;
  readonly #captured: CapturedRequest | undefined;

  constructor(context: Identified, audited: AuditedRequest, tools: ExchangeTools) {
    this.#context = context;
    this.#audited = audited;
    this.#tools = tools;
    const { decision, info } = audited;
    this.#captured =
      reachesLevel(decision.level, 'Request') && info.isResource && !isLongRunning(info)
        ? new CapturedRequest(context.request)
        : undefined;
  }

  handle(next: Handler<Identified>): Answer {
    const { trace } = this.#context;
    const { annotations } = this.#audited;
    for (const [key, value] of Object.entries(trace.credentials ?? {})) annotations.set(key, value);
    const { level } = this.#audited.decision;
    trace.annotate = (key, value, from = 'Metadata') => {
      if (reachesLevel(level, from) && !annotations.has(key)) annotations.set(key, value);
    };
    this.#tools.recorder.record(this.#audited, 'RequestReceived');
    const captured = this.#captured;
    let answer: Answer;
    try {
      answer = next(captured === undefined ? this.#context : { ...this.#context, request: captured });
    } catch (error) {
      return this.#failed(error);
    }
    return whenFulfilled(whenRejected(answer, this.#failed), this.#done);
  }

  // Arrow functions, because they are passed on as continuations.

  readonly #failed = (error: unknown): never => {
    const answer = failureOf(error, this.#context.request);
    const stage = isUnexpected(causeOf(error)) ? 'Panic' : 'ResponseComplete';
    this.#complete(answer, stage);
    throw error;
  };

  readonly #done = (reply: Reply): Reply =>
    auditedReply(reply, {
      capturesBody: capturesBody(this.#audited),
      started: (code) => this.#started(code),
      complete: (code, body) =>
        this.#complete(
          body === undefined ? { code } : this.#answerOf(code, body, headerOf(reply.headers, 'Content-Type')),
        ),
    });

  #started(code: number): void {
    this.#addRequest();
    if (isLongRunning(this.#audited.info))
      this.#tools.recorder.record(this.#audited, 'ResponseStarted', { code });
  }

  #complete(answer: AuditedAnswer, stage: 'ResponseComplete' | 'Panic' = 'ResponseComplete'): void {
    this.#addRequest();
    this.#tools.recorder.record(this.#audited, stage, answer);
  }

  /** Adds what inner stages have reported, and the body of the request once it was read. */
  #addRequest(): void {
    const { request, trace } = this.#context;
    this.#audited.impersonated = trace.impersonated;
    const body = this.#captured?.captured;
    if (body === undefined) return;
    const type = request.headers['content-type'] ?? '';
    this.#audited.requestObject = readAudited(body, type, this.#tools.readProtobuf);
  }

  #answerOf(code: number, body: Buffer, contentType: string): AuditedAnswer {
    const object = readAudited(body, contentType, this.#tools.readProtobuf);
    return { code, object, ...statusIn(object) };
  }
}

/** Reports whether an event needs the body of the reply. */
const capturesBody = ({ decision, info }: AuditedRequest): boolean =>
  info.isResource &&
  !isLongRunning(info) &&
  (reachesLevel(decision.level, 'RequestResponse') ||
    (info.verb === 'create' && info.name === '') ||
    info.verb === 'delete' ||
    info.verb === 'deletecollection');

function failureOf(error: unknown, request: ApiRequest): AuditedAnswer {
  const cause = causeOf(error);
  const aborted =
    cause instanceof Error && cause.name === 'AbortError' && request.signal.reason instanceof ApiError
      ? request.signal.reason
      : cause;
  return statusOfError(apiErrorOf(aborted, request.id));
}

/** The status of a reply that is a Status. */
function statusIn(object: unknown): Pick<AuditedAnswer, 'status'> {
  if (!isJsonObject(object) || object['kind'] !== 'Status') return {};
  const { status, message, reason, details } = object;
  const text = (name: string, value: unknown) => (typeof value === 'string' ? { [name]: value } : {});
  return {
    status: {
      ...text('status', status),
      ...text('message', message),
      ...text('reason', reason),
      ...(isJsonObject(details) ? { details } : {}),
    },
  };
}
