import type { History } from '@orch/history';
import type { Env } from '@orch/machinery';
import type { Store } from '@orch/storage';
import type { ServerEncryption } from '../encryption/server-encryption.ts';
import type { Settings } from '../settings/settings.ts';
import { areInOneStore } from './server-stores.ts';

/** The store of the history, and the form of its values. */
export interface HistoryParts {
  readonly store: Store;
  readonly encryption: ServerEncryption | undefined;
  readonly env: Env;
}

/** Undefined without `--history-retention`: then no code is loaded. */
export async function openHistory(
  { history: limits, names, storePrefix }: Settings,
  { store, encryption, env }: HistoryParts,
): Promise<History | undefined> {
  if (limits === undefined) return undefined;
  const { History } = await import('@orch/history');
  const isEncrypted = (key: string): boolean => encryption?.encrypts(key) === true;
  const areComparable = (key: string, other: string): boolean => areInOneStore(store, key, other);
  return new History({ ...limits, store, storePrefix, names, env, isEncrypted, areComparable });
}
