import { type Env, messageOf, type Naming, namesFor, namings } from '@orch/machinery';
import { StartError } from '@orch/program';
import { internalKey } from '@orch/registry';
import { makingRoom, readable, type Store } from '@orch/storage';
import { isWriteRefused } from './refused-writes.ts';

type ReadableStore = Pick<Store, 'get'>;

const keyOf = (prefix: string): string => internalKey(prefix, 'naming');

/**
 * The naming of the objects below the prefix: the one that the first server has recorded, or, in a store of a server
 * that did not record it, the one whose system namespace exists, or was created first. Undefined without objects.
 */
export async function namingOfData(
  store: ReadableStore,
  prefix: string,
  signal: AbortSignal,
): Promise<Naming | undefined> {
  const { kv } = await store.get(keyOf(prefix), signal);
  const recorded = readable(kv)?.value.toString();
  return namings.find((naming) => naming === recorded) ?? (await detected(store, prefix, signal));
}

async function detected(
  store: ReadableStore,
  prefix: string,
  signal: AbortSignal,
): Promise<Naming | undefined> {
  const found = await Promise.all(
    namings.map(async (naming) => {
      const { system } = namesFor(naming).namespaces;
      const { kv } = await store.get(`${prefix}namespaces/${system}`, signal);
      return { naming, since: kv?.createRevision ?? Number.POSITIVE_INFINITY };
    }),
  );
  return found
    .filter(({ since }) => since < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.since - other.since)[0]?.naming;
}

export interface NamedData {
  readonly store: Pick<Store, 'get' | 'commit'>;
  readonly prefix: string;
  /** The naming of this server. */
  readonly naming: Naming;
  /** The location of the data, and the flag that selects another one, for messages. */
  readonly place: string;
  readonly otherPlaceFlag: string;
  readonly env: Pick<Env, 'log'>;
}

/**
 * Records the naming of the server in a store without objects. Rejects with a `StartError` when the objects of the store
 * have another naming: their kinds, fields and well-known names would not be found.
 */
export async function claimNaming(data: NamedData, signal: AbortSignal): Promise<void> {
  const { store, prefix, naming, place, otherPlaceFlag, env } = data;
  const found = await namingOfData(store, prefix, signal);
  const stored = found ?? (await record(data, signal)) ?? naming;
  if (stored !== naming)
    throw new StartError(
      `the objects in ${place} have --naming=${stored}: start with --naming=${stored}, or with another --${otherPlaceFlag} for a store with --naming=${naming}`,
    );
  if (found === undefined) return;
  // The server that wrote the data did not record its naming.
  const { kv } = await store.get(keyOf(prefix), signal);
  if (kv === undefined) await record(data, signal);
  else if (readable(kv).value.toString() !== naming)
    env.log.warn('the recorded naming is not known', { key: kv.key });
}

/** Returns the naming that another server has recorded first; undefined when this one was. */
async function record(
  { store, prefix, naming, env }: NamedData,
  signal: AbortSignal,
): Promise<Naming | undefined> {
  try {
    const write = { op: 'create', key: keyOf(prefix), value: Buffer.from(naming) } as const;
    const committed = await store.commit(makingRoom(write), signal);
    const other = committed.ok ? naming : readable(committed.current)?.value.toString();
    return namings.find((one) => one === other && one !== naming);
  } catch (error) {
    if (signal.aborted || !isWriteRefused(error)) throw error;
    // The next start records it.
    env.log.warn('the naming cannot be recorded: the store does not accept writes', {
      error: messageOf(error),
    });
    return undefined;
  }
}
