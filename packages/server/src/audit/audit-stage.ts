import { ApiError, type Clock, isJsonObject, type Metrics, type Names } from '@orch/machinery';
import { apiErrorOf, isUnexpected } from '../errors/error-reply.ts';
import { FailedWithHeaders } from '../errors/failed-with-headers.ts';
import { attributesOf } from '../request/attributes.ts';
import type { Identified, Observed } from '../request/contexts.ts';
import { isLongRunning } from '../request/long-running.ts';
import type { Answer, ApiRequest, Reply, Stage } from '../request/types.ts';
import { auditedReply } from './audited-reply.ts';
import { CapturedRequest } from './captured-request.ts';
import { auditMetrics } from './event/audit-metrics.ts';
import { type AuditedAnswer, type AuditedRequest, statusOfError } from './event/event.ts';
import { AuditRecorder, type DeprecationOf } from './event/recorder.ts';
import { type AuditSink, reaches } from './event/types.ts';
import { headerOf, type ReadProtobuf, readAudited } from './object-reader.ts';
import type { AuditJudge } from './policy/policy.ts';

/** Where the audit goes, and by which policy. */
export interface AuditOptions {
  readonly judge: AuditJudge;
  readonly sinks: readonly AuditSink[];
  readonly readProtobuf: ReadProtobuf;
  readonly deprecationOf: DeprecationOf;
}

const nobody = { name: '', uid: '', groups: [], extra: {} };

/**
 * Writes down who asked for what and what came of it. `identified` stands behind authentication, `refused` before it:
 * it sees only those who did not get past.
 */
export function audit(
  options: AuditOptions,
  { clock, metrics, names }: { readonly clock: Clock; readonly metrics: Metrics; readonly names: Names },
): { readonly refused: Stage<Observed>; readonly identified: Stage<Identified> } {
  const counted = auditMetrics(metrics);
  const recorder = new AuditRecorder({ ...options, names, now: () => clock.now(), metrics: counted });
  const { judge, readProtobuf } = options;

  const begin = ({ request, info }: Observed, user: Identified['user'] | undefined): AuditedRequest => {
    const decision = judge(attributesOf(info, user ?? nobody, request.rawQuery));
    counted.level(decision.level);
    const annotations = new Map<string, string>();
    const receivedAt = clock.now();
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
  };

  const refused: Stage<Observed> = (context, next) => {
    const failed = (error: unknown): never => {
      // Behind authentication the other stage has written it down.
      if (context.trace.user === '') {
        const audited = begin(context, undefined);
        if (audited.decision.level !== 'None')
          recorder.record(audited, 'ResponseComplete', failureOf(error, context.request));
      }
      throw error;
    };
    try {
      const answer = next(context);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };

  const identified: Stage<Identified> = (context, next) => {
    const audited = begin(context, context.user);
    const { decision, info } = audited;
    if (decision.level === 'None') return next(context);
    const { trace } = context;
    for (const [key, value] of Object.entries(trace.credentials ?? {})) audited.annotations.set(key, value);
    trace.annotate = (key, value) => void audited.annotations.set(key, value);
    recorder.record(audited, 'RequestReceived');

    const captured =
      reaches(decision.level, 'Request') && info.isResource && !isLongRunning(info)
        ? new CapturedRequest(context.request)
        : undefined;
    const settle = (): void => {
      audited.impersonated = trace.impersonated;
      if (captured?.captured === undefined) return;
      const type = context.request.headers['content-type'] ?? '';
      audited.requestObject = readAudited(captured.captured, type, readProtobuf);
    };
    const complete = (answer: AuditedAnswer): void => {
      settle();
      recorder.record(audited, 'ResponseComplete', answer);
    };
    const started = (code: number): void => {
      settle();
      if (isLongRunning(info)) recorder.record(audited, 'ResponseStarted', { code });
    };
    const done = (reply: Reply): Reply =>
      auditedReply(reply, {
        keepsBody: keepsBody(audited),
        started,
        complete: (code, body) =>
          complete(
            body === undefined ? { code } : answerOf(code, body, headerOf(reply.headers, 'Content-Type')),
          ),
      });
    const answerOf = (code: number, body: Buffer, contentType: string): AuditedAnswer => {
      const object = readAudited(body, contentType, readProtobuf);
      return { code, object, ...statusIn(object) };
    };
    const failed = (error: unknown): never => {
      const answer = failureOf(error, context.request);
      settle();
      recorder.record(audited, isUnexpected(causeOf(error)) ? 'Panic' : 'ResponseComplete', answer);
      throw error;
    };

    let answer: Answer;
    try {
      answer = next(captured === undefined ? context : { ...context, request: captured });
    } catch (error) {
      return failed(error);
    }
    return answer instanceof Promise ? answer.then(done, failed) : done(answer);
  };
  return { refused, identified };
}

/** Whether the body of an answer says something that an event needs. */
const keepsBody = ({ decision, info }: AuditedRequest): boolean =>
  info.isResource &&
  !isLongRunning(info) &&
  (reaches(decision.level, 'RequestResponse') ||
    (info.verb === 'create' && info.name === '') ||
    info.verb === 'delete' ||
    info.verb === 'deletecollection');

const causeOf = (error: unknown): unknown =>
  error instanceof FailedWithHeaders ? causeOf(error.cause) : error;

function failureOf(error: unknown, request: ApiRequest): AuditedAnswer {
  const cause = causeOf(error);
  const aborted =
    cause instanceof Error && cause.name === 'AbortError' && request.signal.reason instanceof ApiError
      ? request.signal.reason
      : cause;
  return statusOfError(apiErrorOf(aborted, request.id));
}

/** What an answer says of itself when it is a Status. */
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
