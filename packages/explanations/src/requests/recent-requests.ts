import type { UserInfo } from '@orch/auth';
import type { Names } from '@orch/machinery';
import type { ReplicaRecord, RequestRecord } from '@orch/pipeline';
import type { Asker } from '../answer/asker.ts';
import type { Cause, ObjectPlace } from '../answer/cause.ts';

/** The requests that this replica remembers. */
export interface RememberedRequests {
  of(user: Pick<UserInfo, 'name' | 'uid'>): readonly RequestRecord[];
  all(): readonly RequestRecord[];
  withId(id: string): readonly RequestRecord[];
}

/** The other replicas. */
export interface Peers {
  /** Name of this replica. */
  readonly own: string;
  /** The records of an audit id on other replicas, and which of them have answered. */
  ask(
    id: string,
    signal: AbortSignal,
  ): Promise<{ readonly replicas: readonly string[]; readonly records: readonly ReplicaRecord[] }>;
}

/** The path for which a user needs the permission `get`, to be shown requests of other users. */
export const ALL_REQUESTS_PATH = '/why/requests/all';

const FIRST_FAILURE = 400;
const NOT_FOUND = 404;
const MAX_REFUSALS = 3;

/** The remembered requests that a user may see: those of this user, or all with a permission for them. */
export class RecentRequests {
  readonly #remembered: RememberedRequests;
  readonly #peers: Peers;
  readonly #names: Names;

  constructor({
    remembered,
    peers,
    names,
  }: { readonly remembered: RememberedRequests; readonly peers: Peers; readonly names: Names }) {
    this.#remembered = remembered;
    this.#peers = peers;
    this.#names = names;
  }

  /** Name of this replica. */
  get replica(): string {
    return this.#peers.own;
  }

  /** The latest first, of this replica. */
  async visible(asker: Asker): Promise<readonly RequestRecord[]> {
    if (await asker.mayGetPath(ALL_REQUESTS_PATH)) return this.#remembered.all();
    return this.#isAnonymous(asker.user) ? [] : this.#remembered.of(asker.user);
  }

  /** The records of an audit id on all replicas that answer, in the order of their times. */
  async withId(
    asker: Asker,
    id: string,
  ): Promise<{ readonly replicas: readonly string[]; readonly records: readonly ReplicaRecord[] }> {
    const { own } = this.#peers;
    const { replicas, records } = await this.#peers.ask(id, asker.signal);
    const mine = this.#remembered.withId(id).map((record) => ({ replica: own, record }));
    const seesAll = await asker.mayGetPath(ALL_REQUESTS_PATH);
    const shown = [...mine, ...records].filter(({ record }) => seesAll || this.#isOf(asker.user, record));
    return {
      replicas: [own, ...replicas].toSorted(),
      records: shown.toSorted((a, b) => a.record.receivedAt - b.record.receivedAt),
    };
  }

  /** Deletions of an object that were refused lately. */
  async refusedDeletions(asker: Asker, place: ObjectPlace): Promise<readonly Cause[]> {
    const found = (await this.visible(asker)).filter(
      (record) => isAbout(record, place) && record.info.verb === 'delete' && isRefused(record),
    );
    return found.slice(0, MAX_REFUSALS).map(({ id, receivedAt, code, failure }) => ({
      type: 'RefusedRequest',
      message: `a deletion was refused at ${timeText(receivedAt)} with ${code}: ${failure?.message ?? ''} (audit id ${id})`,
    }));
  }

  /** The latest write of an object that has ended by a time, in epoch milliseconds, at a precision of seconds. */
  async writeAt(asker: Asker, place: ObjectPlace, time: number): Promise<RequestRecord | undefined> {
    const ended = ({ receivedAt, durationMs }: RequestRecord): number => receivedAt + durationMs;
    return (await this.visible(asker)).find(
      (record) =>
        isAbout(record, place) &&
        writes.has(record.info.verb) &&
        record.code < FIRST_FAILURE &&
        record.receivedAt < time + SECOND_MS &&
        ended(record) >= time,
    );
  }

  #isOf({ name, uid }: UserInfo, { user }: RequestRecord): boolean {
    return name === user.name && uid === user.uid && !this.#isAnonymous(user);
  }

  /** Anonymous clients have a name in common, and nothing else. */
  #isAnonymous({ name }: UserInfo): boolean {
    return name === this.#names.users.anonymous;
  }
}

const SECOND_MS = 1000;
const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'apply']);

const isRefused = ({ code }: RequestRecord): boolean => code >= FIRST_FAILURE && code !== NOT_FOUND;

const isAbout = ({ info }: RequestRecord, { group, resource, namespace, name }: ObjectPlace): boolean =>
  info.isResource &&
  info.group === group &&
  info.resource === resource &&
  (info.name === name || (info.verb === 'create' && info.name === '')) &&
  (info.isInNamespace ? info.namespace : '') === namespace;

export const timeText = (epochMs: number): string => new Date(epochMs).toISOString();
