import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { prefixRange, type ReadableKeyValue, readable } from '@orch/storage';
import { openEtcdStore } from '@orch/storage/etcd';
import type { PutEntry } from '@orch/storage/testing';

const env = { clock: systemClock, random: systemRandom, log: silentLogger };

/** The first object below each prefix of an etcd, as a server has stored it. */
export async function storedTemplates(
  endpoints: readonly string[],
  prefixes: readonly string[],
): Promise<readonly ReadableKeyValue[]> {
  const store = await openEtcdStore({ endpoints, env });
  try {
    return await Promise.all(
      prefixes.map(async (prefix) => {
        const { items } = await store.list(prefixRange(prefix), { limit: 1 }, new AbortController().signal);
        const [first] = items;
        if (first === undefined) throw new Error(`there is no object below ${prefix} in etcd`);
        return readable(first);
      }),
    );
  } finally {
    await store.close();
  }
}

/** Copies of a stored object with different names and identifiers, the numbers of which begin with 1. */
export function* copiesOf(
  { key, value }: ReadableKeyValue,
  count: number,
  renamed: (i: number) => Readonly<Record<string, string>>,
): Generator<PutEntry> {
  const text = String(value);
  for (let i = 1; i < count; i++) {
    const names = Object.entries(renamed(i));
    const rename = (of: string): string => names.reduce((all, [from, to]) => all.replaceAll(from, to), of);
    const copy = rename(text).replace(/("uid":"[^"]*)[^"]{12}"/, `$1${String(i).padStart(12, '0')}"`);
    yield { key: rename(key), value: Buffer.from(copy) };
  }
}
