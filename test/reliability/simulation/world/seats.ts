import type { Access } from '@orch/registry';
import { type Committed, ForwardingStore, type Write } from '@orch/storage';

/** All seats of a server, and those of the level of the crowd according to its share. */
export const ALL_SEATS = 6;
const SEATS_OF_CROWD = 2;

/** The crowd is one user, and all other clients are administrators. */
export const crowdName = 'crowd';
export const crowdAgent = 'register/1';

export const accessWithCrowd: Access = {
  authenticator: {
    authenticate: ({ headers }) => {
      const isCrowd = headers['user-agent'] === crowdAgent;
      const identity = isCrowd
        ? { name: crowdName, groups: ['system:authenticated'] }
        : { name: 'admin', groups: ['system:masters'] };
      return { kind: 'user', user: { ...identity, uid: '', extra: {} } };
    },
  },
  authorizer: { authorize: () => ({ verdict: 'allow', reason: '' }) },
};

/** The store of a server whose clients share seats. It counts the writes of the crowd that are under way. */
export class SeatCheck extends ForwardingStore {
  #current = 0;
  #most = 0;

  override async commit(write: Write, signal: AbortSignal): Promise<Committed> {
    if (!write.key.includes('/configmaps/default/register-')) return super.commit(write, signal);
    this.#current++;
    this.#most = Math.max(this.#most, this.#current);
    try {
      return await super.commit(write, signal);
    } finally {
      this.#current--;
    }
  }

  /** Throws if more requests were executed at once than the level has seats. */
  check(server: string): void {
    if (this.#most > SEATS_OF_CROWD)
      throw new Error(`${server} executed ${this.#most} writes at once, with ${SEATS_OF_CROWD} seats`);
  }
}
