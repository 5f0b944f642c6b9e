import type { UserInfo } from '@orch/auth';
import type { Names } from '@orch/machinery';
import type { RecordOwner, ReplicaRecord, RequestRecord } from '@orch/pipeline';
import type { Asker } from '../answer/asker.ts';
import type { Cause, ObjectPlace } from '../answer/cause.ts';
import { type ManagerEntry, managerWrites } from './manager-writes.ts';
import { nameShownTo, type Peers } from './peers.ts';

type Records = readonly RequestRecord[] | Promise<readonly RequestRecord[]>;

/** The requests that this replica remembers. */
export interface RememberedRequests {
  of(user: Pick<UserInfo, 'name' | 'uid'>): Records;
  all(): Records;
  withId(id: string, owner: RecordOwner): Records;
  deprecated(owner: RecordOwner): Records;
}

/** The path for which a user needs the permission `get` to see requests of other users. */
const ALL_REQUESTS_PATH = '/why/requests/all';

const FIRST_FAILURE = 400;
const NOT_FOUND = 404;
const MAX_REFUSALS = 3;

export interface TracedRequest {
  /** The replicas that have answered. */
  readonly replicas: readonly string[];
  /** In the order of their times. */
  readonly records: readonly ReplicaRecord[];
}

/** The remembered requests that a user may see: their own, or all with a permission for them. */
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

  /** The latest first, of this replica. */
  async latest(asker: Asker): Promise<readonly ReplicaRecord[]> {
    const owner = await this.#ownerFor(asker);
    return this.#onThisReplica(owner, await this.#recordsOf(owner));
  }

  /** The last requests for deprecated versions, of each user and program, the latest first. Of this replica. */
  async deprecated(asker: Asker): Promise<readonly ReplicaRecord[]> {
    const owner = await this.#ownerFor(asker);
    const uses = owner === undefined ? [] : await this.#remembered.deprecated(owner);
    return this.#onThisReplica(
      owner,
      uses.toSorted((a, b) => b.receivedAt - a.receivedAt),
    );
  }

  /** The records of an audit id on all replicas that answer. */
  async withId(asker: Asker, id: string): Promise<TracedRequest> {
    const owner = await this.#ownerFor(asker);
    const own = nameShownTo(owner, this.#peers.own);
    if (owner === undefined) return { replicas: [own], records: [] };
    const [answers, ownRecords] = await Promise.all([
      this.#peers.ask({ id, owner, user: asker.user }, asker.signal),
      this.#remembered.withId(id, owner),
    ]);
    const others = answers.map(({ replica, records }) => ({
      replica: nameShownTo(owner, replica),
      // Replicas answer only records that the user may see; those of another release may not.
      records: records.filter((record) => owner === 'everyone' || isOf(owner, record)),
    }));
    const all = [{ replica: own, records: ownRecords }, ...others];
    return {
      replicas: all.map(({ replica }) => replica).sort(),
      records: all
        .flatMap(({ replica, records }) => records.map((record) => ({ replica, record })))
        .sort((a, b) => a.record.receivedAt - b.record.receivedAt),
    };
  }

  /** Recently refused deletions of an object. */
  async refusedDeletions(
    asker: Asker,
    { group, resource, namespace, name }: ObjectPlace,
  ): Promise<readonly Cause[]> {
    const found = (await this.#visible(asker)).filter(
      ({ info, code }) =>
        info.isResource &&
        info.verb === 'delete' &&
        info.group === group &&
        info.resource === resource &&
        info.name === name &&
        (info.isInNamespace ? info.namespace : '') === namespace &&
        code >= FIRST_FAILURE &&
        code !== NOT_FOUND,
    );
    return found.slice(0, MAX_REFUSALS).map(({ id, receivedAt, code, failure }) => ({
      type: 'RefusedRequest',
      message: `a deletion was refused at ${timeText(receivedAt)} with ${code}: ${failure?.message ?? ''} (audit id ${id})`,
    }));
  }

  /**
   * The last request by which a manager wrote an object; undefined when it is not remembered, and when several match.
   */
  async writeOf(asker: Asker, place: ObjectPlace, entry: ManagerEntry): Promise<RequestRecord | undefined> {
    const [found, another] = managerWrites(await this.#visible(asker), place, entry);
    return another === undefined ? found : undefined;
  }

  async #visible(asker: Asker): Promise<readonly RequestRecord[]> {
    return this.#recordsOf(await this.#ownerFor(asker));
  }

  #onThisReplica(
    owner: RecordOwner | undefined,
    records: readonly RequestRecord[],
  ): readonly ReplicaRecord[] {
    const replica = nameShownTo(owner, this.#peers.own);
    return records.map((record) => ({ replica, record }));
  }

  #recordsOf(owner: RecordOwner | undefined): Records {
    if (owner === undefined) return [];
    return owner === 'everyone' ? this.#remembered.all() : this.#remembered.of(owner);
  }

  /**
   * The owner of the requests that a user may see; undefined for anonymous clients, which share nothing but their name.
   */
  async #ownerFor(asker: Asker): Promise<RecordOwner | undefined> {
    if (await asker.mayGetPath(ALL_REQUESTS_PATH)) return 'everyone';
    const { name, uid } = asker.user;
    return name === this.#names.users.anonymous ? undefined : { name, uid };
  }
}

const isOf = ({ name, uid }: Pick<UserInfo, 'name' | 'uid'>, { user }: RequestRecord): boolean =>
  name === user.name && uid === user.uid;

export const timeText = (epochMs: number): string => new Date(epochMs).toISOString();
