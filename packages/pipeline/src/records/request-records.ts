import type { UserInfo } from '@orch/auth';
import type { Clock } from '@orch/machinery';
import { apiErrorOf, causeOf, isLongRunning, isReadOnly, type Observed } from '@orch/request';
import type { RequestFailure, RequestRecord } from './request-record.ts';
import { UserRing } from './user-ring.ts';

/** A request is slow from this duration on. */
export const SLOW_REQUEST_MS = 500;
/** One of so many fast reads is recorded. */
const SAMPLED_READS = 256;
const FIRST_FAILURE = 400;
/** Users whose requests are kept, and requests of each: together the bound of memory. */
const MAX_USERS = 64;
const MAX_OF_USER = 64;
const MAX_TARGET = 512;
const MAX_MESSAGE = 1024;
const MAX_AGENT = 128;

/** The end of a request. */
export interface RequestEnd {
  readonly code: number;
  readonly durationMs: number;
  /** Undefined when no stage threw. */
  readonly error: unknown;
}

/**
 * The last requests of each user that failed, were slow, wrote, or came with an audit id, and a sample of other reads. Bounded,
 * by user, so that no user displaces the records of another one.
 */
export class RequestRecords {
  readonly #clock: Pick<Clock, 'now'>;
  /** The user with the most recent request is the last one. */
  readonly #byUser = new Map<string, UserRing>();
  #reads = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Called at the end of every request: it must be cheap for reads that are not recorded. */
  ended(context: Observed, end: RequestEnd): void {
    if (this.#isRecorded(context, end)) this.#add(context, end);
  }

  /** The recorded requests of a user, the latest first. */
  of(user: Pick<UserInfo, 'name' | 'uid'>): readonly RequestRecord[] {
    return this.#byUser.get(keyOf(user))?.latestFirst() ?? [];
  }

  /** The recorded requests of all users, the latest first. */
  all(): readonly RequestRecord[] {
    return [...this.#byUser.values()]
      .flatMap((ring) => ring.latestFirst())
      .toSorted((a, b) => b.receivedAt - a.receivedAt);
  }

  /** The recorded requests of all users with an audit id. */
  withId(id: string): readonly RequestRecord[] {
    return [...this.#byUser.values()].flatMap((ring) => ring.latestFirst().filter((one) => one.id === id));
  }

  #isRecorded({ info, request, trace }: Observed, { code, durationMs }: RequestEnd): boolean {
    // A record without a user could be shown to no user.
    if (trace.identity === undefined) return false;
    if (code >= FIRST_FAILURE) return true;
    if (!isReadOnly(info) || (durationMs >= SLOW_REQUEST_MS && !isLongRunning(info))) return true;
    if (request.headers['audit-id'] !== undefined) return true;
    this.#reads = (this.#reads + 1) % SAMPLED_READS;
    return this.#reads === 0;
  }

  #add(context: Observed, end: RequestEnd): void {
    const { trace } = context;
    const user = trace.impersonated ?? trace.identity;
    if (user === undefined) return;
    const key = keyOf(user);
    const ring = this.#byUser.get(key) ?? new UserRing(MAX_OF_USER);
    this.#byUser.delete(key);
    this.#byUser.set(key, ring);
    ring.add(this.#recordOf(context, end, user));
    if (this.#byUser.size <= MAX_USERS) return;
    for (const oldest of this.#byUser.keys()) {
      this.#byUser.delete(oldest);
      break;
    }
  }

  #recordOf({ request, info, trace }: Observed, end: RequestEnd, user: UserInfo): RequestRecord {
    const { code, durationMs, error } = end;
    const { rawPath, rawQuery } = request;
    const { identity, impersonated, flow, steps = [] } = trace;
    return {
      id: request.id,
      receivedAt: Math.round(this.#clock.now() - durationMs),
      ...{ durationMs, code, method: request.method, info, user },
      target: cut(rawQuery === '' ? rawPath : `${rawPath}?${rawQuery}`, MAX_TARGET),
      userAgent: cut(String(request.headers['user-agent'] ?? ''), MAX_AGENT),
      ...(impersonated !== undefined && identity !== undefined && { impersonator: identity.name }),
      ...(code >= FIRST_FAILURE && { failure: failureOf(error, refusedAt(request.id, trace)) }),
      timing: {
        authentication: trace.authenticationMs ?? 0,
        authorization: trace.authorizationMs ?? 0,
        queued: trace.queuedMs ?? 0,
      },
      ...(flow !== undefined && { flow: { schema: flow.name, level: flow.level.name } }),
      steps,
    };
  }
}

const keyOf = ({ name, uid }: Pick<UserInfo, 'name' | 'uid'>): string => `${name}\n${uid}`;

const cut = (text: string, length: number): string => text.slice(0, length);

interface Refused {
  readonly id: string;
  readonly stage: RequestFailure['stage'];
}

const refusedAt = (id: string, { refusedBy, steps = [] }: Observed['trace']): Refused => ({
  id,
  stage: refusedBy ?? (steps.some(({ stage, refused }) => refused && stage !== 'store') ? 'admission' : ''),
});

/** A failure without an error is the reply of a handler, such as one of a backend. */
function failureOf(error: unknown, { id, stage }: Refused): RequestFailure {
  if (error === undefined) return { reason: '', message: '', stage };
  const failure = apiErrorOf(causeOf(error), id);
  const { reason = '', message = '' } = failure.statusWithoutValues() ?? failure.status;
  return { reason, message: cut(message, MAX_MESSAGE), stage };
}
