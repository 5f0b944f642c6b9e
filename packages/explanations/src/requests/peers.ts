import type { UserInfo } from '@orch/auth';
import type { RecordOwner, RequestRecord } from '@orch/pipeline';

/** A replica. Its host is part of the infrastructure: users who may not see all requests see only the id. */
export interface ReplicaName {
  /** Reveals nothing about the replica; changes with each start. */
  readonly id: string;
  /** Empty when the replica did not name it. */
  readonly host: string;
}

export const nameShownTo = (owner: RecordOwner | undefined, { id, host }: ReplicaName): string =>
  owner === 'everyone' && host !== '' ? `${host}-${id}` : id;

/** A question about the records of an audit id. */
export interface PeerQuestion {
  readonly id: string;
  /** The user whose records may be returned. */
  readonly owner: RecordOwner;
  /** The user that asks: questions are rate limited by user. */
  readonly user: Pick<UserInfo, 'name' | 'uid'>;
}

export interface PeerAnswer {
  readonly replica: ReplicaName;
  readonly records: readonly RequestRecord[];
}

/** The other replicas. */
export interface Peers {
  /** This replica. */
  readonly own: ReplicaName;
  /**
   * The answers that arrive in time. Throws a 429 `ApiError` when the user, or all users together, exceed the rate
   * limit.
   */
  ask(question: PeerQuestion, signal: AbortSignal): Promise<readonly PeerAnswer[]>;
}
