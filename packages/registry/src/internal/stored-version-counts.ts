import type { ApiObject } from '@orch/machinery';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import { prefixRange, type Store } from '@orch/storage';
import { cacheNameOf, DEFAULT_STORE_PREFIX } from '../resource/store-keys.ts';

/** Number of bytes read from the store at once. */
const PART_BYTES = 1024 * 1024;
/** Number of leading bytes of a value that are searched for its version before the value is parsed. */
const HEAD_BYTES = 1024;

/** The prefix of objects as this server, and most others, store them. */
const HEAD = /^\{"(?:kind":"[^"\\]*",")?apiVersion":"([^"\\]*)"/;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface StoredVersionCounts {
  /** Number of objects by the apiVersion in which they are stored. */
  readonly versions: ReadonlyMap<string, number>;
  /** Number of objects whose values cannot be read: they may be stored in any version. */
  readonly unreadable: number;
}

export interface StoredKind {
  readonly store: Store;
  readonly storePrefix?: string | undefined;
  readonly group: string;
  readonly resource: string;
}

/**
 * Counts the stored objects of a kind that is stored as JSON, served or not, at one revision of the store. Reads them in parts, and gives
 * other work a turn after each.
 */
export async function countStoredVersions(
  { store, storePrefix = DEFAULT_STORE_PREFIX, ...kind }: StoredKind,
  signal: AbortSignal,
): Promise<StoredVersionCounts> {
  const versions = new Map<string, number>();
  let unreadable = 0;
  const range = prefixRange(`${storePrefix}${cacheNameOf(kind)}/`);
  for await (const { items } of store.scan(range, { byteBudget: PART_BYTES }, signal)) {
    for (const { value } of items) {
      const version = value === undefined ? undefined : versionOf(value);
      if (version === undefined) unreadable++;
      else versions.set(version, (versions.get(version) ?? 0) + 1);
    }
    await nextTurn();
    signal.throwIfAborted();
  }
  return { versions, unreadable };
}

/** Undefined for a value that is not an object. */
function versionOf(value: Buffer): string | undefined {
  const [, version] = HEAD.exec(value.toString('latin1', 0, HEAD_BYTES)) ?? [];
  if (version !== undefined) return version;
  try {
    const object = parseJson(value);
    return isJsonObject(object) ? String((object as Partial<ApiObject>).apiVersion) : undefined;
  } catch {
    return undefined;
  }
}
