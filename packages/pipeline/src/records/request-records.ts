import type { UserInfo } from '@orch/auth';
import type { Clock, Names } from '@orch/machinery';
import {
  apiErrorOf,
  causeOf,
  isLongRunning,
  isReadOnly,
  type Observed,
  type RequestInfo,
  type WrittenObject,
} from '@orch/request';
import { boundedCredentials, boundedInfo, boundedText, CommonTexts } from './bounded-text.ts';
import { DeprecatedUses } from './deprecated-uses.ts';
import type { RequestFailure, RequestRecord } from './request-record.ts';

/** A request is slow from this duration on. */
export const SLOW_REQUEST_MS = 500;
/** One of this number of fast reads is recorded. */
const SAMPLED_READS = 256;
const FIRST_FAILURE = 400;
const MAX_OF_USER = 64;
/** Records of all users of a class. Together with the limits of strings they are the bound of memory. */
const MAX_OF_PEOPLE = 4096;
const MAX_OF_SERVICE_ACCOUNTS = 2048;
const MAX_OF_NODES = 1024;
/** Maximum length of name and uid together. They are not cut, since two users could become the same one. */
const MAX_IDENTITY = 512;
const MAX_METHOD = 16;
const MAX_ID = 64;
const MAX_TARGET = 512;
const MAX_MESSAGE = 512;
const MAX_REASON = 64;
const MAX_NAME = 253;
const MAX_AGENT = 128;
const MAX_STEPS = 16;

/** The end of a request. */
export interface RequestEnd {
  readonly code: number;
  readonly durationMs: number;
  /** Undefined when no stage threw. */
  readonly error: unknown;
}

/** The user whose requests are sought, or all users. */
export type RecordOwner = Pick<UserInfo, 'name' | 'uid'> | 'everyone';

/**
 * The last requests of each user that failed, were slow, wrote, or came with an audit id, and a sample of other reads. Bounded for
 * each user and for all of them. Nodes, service accounts and other users have separate bounds, and within a bound those with the
 * most records lose them first.
 */
export class RequestRecords {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #names: Pick<Names, 'users'>;
  readonly #nodes = new RecordPool({ records: MAX_OF_NODES, recordsOfUser: MAX_OF_USER });
  readonly #serviceAccounts = new RecordPool({
    records: MAX_OF_SERVICE_ACCOUNTS,
    recordsOfUser: MAX_OF_USER,
  });
  readonly #people = new RecordPool({ records: MAX_OF_PEOPLE, recordsOfUser: MAX_OF_USER });
  readonly #common = new CommonTexts();
  readonly #deprecated = new DeprecatedUses();
  /** The user of the latest record, with its key: a client sends many requests. */
  #latest: { readonly name: string; readonly uid: string; readonly key: string } | undefined;
  #reads = 0;

  constructor(clock: Pick<Clock, 'now'>, names: Pick<Names, 'users'>) {
    this.#clock = clock;
    this.#names = names;
  }

  /** Called at the end of every request: it must be cheap for reads that are not recorded. */
  ended(context: Observed, end: RequestEnd): void {
    if (this.#isRecorded(context, end)) this.#add(context, end);
    if (context.trace.deprecated !== undefined) this.#addUse(context, end);
  }

  /** The recorded requests of a user, the latest first. */
  of(user: Pick<UserInfo, 'name' | 'uid'>): readonly RequestRecord[] {
    return this.#poolOf(user).of(keyOf(user)).toReversed();
  }

  /** The recorded requests of all users, the latest first. */
  all(): readonly RequestRecord[] {
    return [...this.#everyone()].sort((a, b) => b.receivedAt - a.receivedAt);
  }

  /** The recorded requests with an audit id. */
  withId(id: string, owner: RecordOwner): readonly RequestRecord[] {
    const sought = owner === 'everyone' ? this.#everyone() : this.#poolOf(owner).of(keyOf(owner));
    const found: RequestRecord[] = [];
    for (const record of sought) if (record.id === id) found.push(record);
    return found;
  }

  /** The last requests for deprecated versions, one of each user and user agent for each version. */
  deprecated(owner: RecordOwner): readonly RequestRecord[] {
    return owner === 'everyone' ? this.#deprecated.all() : this.#deprecated.of(keyOf(owner));
  }

  *#everyone(): Iterable<RequestRecord> {
    for (const pool of [this.#people, this.#serviceAccounts, this.#nodes]) yield* pool.all();
  }

  #poolOf({ name }: Pick<UserInfo, 'name'>): RecordPool {
    const { nodePrefix, serviceAccountPrefix } = this.#names.users;
    if (name.startsWith(nodePrefix)) return this.#nodes;
    return name.startsWith(serviceAccountPrefix) ? this.#serviceAccounts : this.#people;
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
    const record = this.#recordOf(context, end);
    if (record !== undefined) this.#poolOf(record.user).add(this.#keyOf(record.user), record);
  }

  #addUse(context: Observed, end: RequestEnd): void {
    const record = this.#recordOf(context, end);
    const { removed = '' } = context.trace.deprecated ?? {};
    if (record !== undefined) this.#deprecated.add(this.#keyOf(record.user), record, removed);
  }

  /** Undefined for a user without a name, and one whose name is too long. */
  #recordOf(context: Observed, end: RequestEnd): RequestRecord | undefined {
    const { trace } = context;
    const user = trace.impersonated ?? trace.identity;
    if (user === undefined || user.name.length + user.uid.length > MAX_IDENTITY) return undefined;
    const receivedAt = Math.round(this.#clock.now() - end.durationMs);
    return recordOf(context, end, { receivedAt, user, common: this.#common });
  }

  #keyOf({ name, uid }: Pick<UserInfo, 'name' | 'uid'>): string {
    if (this.#latest?.name !== name || this.#latest.uid !== uid)
      this.#latest = { name, uid, key: keyOf({ name, uid }) };
    return this.#latest.key;
  }
}

/** With the length of the name, because names and uids may contain any separator. */
const keyOf = ({ name, uid }: Pick<UserInfo, 'name' | 'uid'>): string => `${name.length} ${name}${uid}`;

interface RecordParts {
  readonly receivedAt: number;
  readonly user: UserInfo;
  readonly common: CommonTexts;
}

/** A record shares no memory with the request: strings are copied, each up to a maximum length. */
function recordOf(
  { request, info, trace }: Observed,
  { code, durationMs, error }: RequestEnd,
  { receivedAt, user, common }: RecordParts,
): RequestRecord {
  const { rawPath, rawQuery } = request;
  const { identity, impersonated, flow, written, steps = noSteps } = trace;
  const sent = rawQuery === '' ? rawPath : `${rawPath}?${rawQuery}`;
  // One copy of both, since copying costs more than cutting.
  const idLength = Math.min(request.id.length, MAX_ID);
  const copy = boundedText(request.id.slice(0, idLength) + sent, idLength + MAX_TARGET);
  const target = copy.slice(idLength);
  const record: Writable<RequestRecord> = {
    id: copy.slice(0, idLength),
    receivedAt,
    durationMs,
    code,
    method: common.of(request.method, MAX_METHOD),
    target,
    isTargetCut: sent.length > MAX_TARGET,
    info: boundedInfo(info, { rawPath, copy: target, common }),
    user: { name: common.of(user.name, MAX_IDENTITY), uid: common.of(user.uid, MAX_IDENTITY) },
    userAgent: common.of(String(request.headers['user-agent'] ?? ''), MAX_AGENT),
    timing: {
      authentication: trace.authenticationMs ?? 0,
      authorization: trace.authorizationMs ?? 0,
      queued: trace.queuedMs ?? 0,
    },
    steps: steps.length > MAX_STEPS ? steps.slice(-MAX_STEPS) : steps,
  };
  if (written !== undefined) record.written = writtenObject(written, record.info);
  if (flow !== undefined) record.flow = { schema: flow.name, level: flow.level.name };
  if (impersonated !== undefined && identity !== undefined)
    record.impersonator = boundedText(identity.name, MAX_NAME);
  if (code >= FIRST_FAILURE) addFailure(record, failureOf(error, refusedAt(request.id, trace)), user);
  return record;
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

function writtenObject({ name, resourceVersion }: WrittenObject, info: RequestInfo): WrittenObject {
  const isNamed = info.isResource && info.name === name;
  return { name: isNamed ? info.name : boundedText(name, MAX_NAME), resourceVersion };
}

function addFailure(record: Writable<RequestRecord>, failure: RequestFailure, user: UserInfo): void {
  record.failure = failure;
  const credentials = failure.stage === 'authorization' ? boundedCredentials(user) : undefined;
  if (credentials !== undefined) record.credentials = credentials;
}

const noSteps: RequestRecord['steps'] = [];

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
  return { reason: boundedText(reason, MAX_REASON), message: boundedText(message, MAX_MESSAGE), stage };
}

export interface PoolLimits {
  /** Of all users together. */
  readonly records: number;
  readonly recordsOfUser: number;
}

interface UserRecords {
  readonly key: string;
  /** The oldest first. */
  readonly records: RequestRecord[];
}

/**
 * The last records of users, up to a maximum number. Beyond it, the oldest record of a user with the most records is
 * removed, so that users with many requests do not displace the records of users with few. While there are more users
 * than records, each has one, and the record of the least recently active user is removed.
 */
export class RecordPool {
  readonly #limits: PoolLimits;
  readonly #byUser = new Map<string, UserRecords>();
  /** Users by the number of their records; within a number, the latest addition is the last one. */
  readonly #byCount: readonly Set<UserRecords>[];
  #size = 0;
  /** The user of the latest record. */
  #latest: UserRecords | undefined;
  /** No user has more records. */
  #most = 0;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
    this.#byCount = Array.from({ length: limits.recordsOfUser + 1 }, () => new Set<UserRecords>());
  }

  /** The records of a user, the oldest first. */
  of(key: string): readonly RequestRecord[] {
    return this.#byUser.get(key)?.records ?? [];
  }

  /** The records of all users. */
  *all(): Iterable<RequestRecord> {
    for (const { records } of this.#byUser.values()) yield* records;
  }

  add(key: string, record: RequestRecord): void {
    const user = this.#byUser.get(key) ?? this.#newUser(key);
    const { records } = user;
    const isFull = records.length === this.#limits.recordsOfUser;
    const keepsPlace = isFull && user === this.#latest;
    if (!keepsPlace) this.#byCount[records.length]?.delete(user);
    if (isFull) records.shift();
    else this.#size++;
    records.push(record);
    if (!keepsPlace) this.#byCount[records.length]?.add(user);
    this.#latest = user;
    this.#most = Math.max(this.#most, records.length);
    if (this.#size > this.#limits.records) this.#removeOne();
  }

  #newUser(key: string): UserRecords {
    const user = { key, records: [] };
    this.#byUser.set(key, user);
    return user;
  }

  #removeOne(): void {
    while (this.#most > 0 && this.#byCount[this.#most]?.size === 0) this.#most--;
    const most = this.#byCount[this.#most];
    for (const user of most ?? []) {
      most?.delete(user);
      user.records.shift();
      if (user.records.length === 0) this.#byUser.delete(user.key);
      else this.#byCount[user.records.length]?.add(user);
      this.#size--;
      return;
    }
  }
}
