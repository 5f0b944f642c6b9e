import type { Revision } from '@orch/storage';

/** The threads of a process, each of which decides requests by the objects in its own cache. */
export interface Threads {
  /** Resolves when all threads have the state of a key in the store at the revision, or after a limited time. */
  reach(key: string, rev: Revision, signal: AbortSignal): Promise<void>;
}
