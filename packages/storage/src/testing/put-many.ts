import { decodeHeaderOnly } from '../etcd/proto/kv.ts';
import type { ProtoWriter } from '../etcd/proto/writer.ts';
import type { UnaryMethod } from '../etcd/rpc/method.ts';
import { testChannel } from './test-channel.ts';

export interface PutEntry {
  readonly key: string;
  readonly value: Buffer;
}

/** etcd's default limits of a transaction: 128 operations, and 1.5 MiB. */
const MAX_OPERATIONS = 128;
const MAX_BYTES = 1024 * 1024;
const IN_FLIGHT = 8;
const TIMEOUT_MS = 30_000;

/** A transaction without conditions; fields are written from the last to the first. */
const putTransaction: UnaryMethod<readonly PutEntry[], number> = {
  path: '/etcdserverpb.KV/Txn',
  encode(writer: ProtoWriter, entries) {
    for (const { key, value } of entries.toReversed()) {
      const operation = writer.mark();
      writer.bytes(2, value);
      writer.string(1, key);
      writer.nested(2, operation);
      writer.nested(2, operation);
    }
  },
  decode: decodeHeaderOnly,
};

/**
 * Writes many keys in few transactions, several of them in flight, so that large test data is in etcd within seconds.
 * Keys of one transaction share a revision. Resolves with the last revision.
 */
export async function putMany(endpoint: string, entries: Iterable<PutEntry>): Promise<number> {
  const channel = testChannel(endpoint, { maxMessageBytes: MAX_BYTES, maxWaiting: IN_FLIGHT });
  const batches = batched(entries);
  const options = { timeoutMs: TIMEOUT_MS, signal: new AbortController().signal };
  let last = 0;
  const worker = async (): Promise<void> => {
    for (const batch of batches) last = Math.max(last, await channel.unary(putTransaction, batch, options));
  };
  try {
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  } finally {
    channel.close();
  }
  return last;
}

function* batched(entries: Iterable<PutEntry>): Generator<readonly PutEntry[]> {
  let batch: PutEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.key.length + entry.value.length;
    if (batch.length > 0 && (batch.length === MAX_OPERATIONS || bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
