import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { openEtcdStore } from '@orch/storage/etcd';
import { startEtcd } from '@orch/storage/testing';
import { type Comparison, library } from './measure.ts';

const WRITES = 4000;
const IN_FLIGHT = 32;
const ROUNDS = 4;
const value = Buffer.alloc(1024, 'x');

/** CPU of this process for creating a key of 1 KiB in a transaction that fails if the key exists, on a real etcd. */
export async function etcd(): Promise<readonly Comparison[]> {
  await using cluster = await startEtcd();
  const signal = new AbortController().signal;
  const env = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() };
  const store = await openEtcdStore({ endpoints: cluster.endpoints, env }, signal);
  const { Etcd3 } = library('etcd3');
  const client = new Etcd3({ hosts: [...cluster.endpoints] });
  try {
    const ours = await best((key) => store.commit({ op: 'create', key: `/ours/${key}`, value }, signal));
    const theirs = await best((key) =>
      client
        .if(`/theirs/${key}`, 'Create', '==', 0)
        .then(client.put(`/theirs/${key}`).value(value))
        .commit(),
    );
    return [{ what: 'create a key of 1 KiB, 32 in flight', ours, library: 'etcd3', theirs, unit: 'µs' }];
  } finally {
    client.close();
    await store.close();
  }
}

/** CPU in µs per write: the best of several rounds. */
async function best(write: (key: string) => Promise<unknown>): Promise<number> {
  let micros = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < WRITES) await write(`${round}-${next++}`);
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
    const { user, system } = process.cpuUsage(start);
    micros = Math.min(micros, (user + system) / WRITES);
  }
  return micros;
}
