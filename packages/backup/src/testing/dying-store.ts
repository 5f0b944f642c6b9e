import { ForwardingStore, type Store, StoreError } from '@orch/storage';

/** Fails every commit after some, as a process that is killed. */
export class DyingStore extends ForwardingStore {
  #left: number;
  constructor(inner: Store, commits: number) {
    super(inner);
    this.#left = commits;
  }
  override commit(...parameters: Parameters<Store['commit']>): ReturnType<Store['commit']> {
    if (this.#left-- > 0) return super.commit(...parameters);
    return Promise.reject(new StoreError('unavailable', 'killed'));
  }
}
