import { readFile, writeFile } from 'node:fs/promises';
import type { Clock } from '@orch/machinery';
import { ModelContent, type Revision } from '@orch/storage';
import { MemoryStore } from './memory-store.ts';

/** The first line of a snapshot. */
interface Header {
  readonly format: typeof FORMAT;
  readonly revision: Revision;
}

/** The line of a key. */
interface Line {
  readonly key: string;
  /** Base64. */
  readonly value: string;
  readonly created: Revision;
  readonly modified: Revision;
  /** The time that a key with a ttl has left. */
  readonly ttlMs?: number;
}

const FORMAT = 'orch-test-snapshot/1';
/** The objects include Secrets. */
const ONLY_OWNER = 0o600;

/** Writes all objects of a store with their versions, one a line. Rejects with the failure of the file. */
export async function writeSnapshot(store: MemoryStore, file: string, clock: Clock): Promise<void> {
  const header: Header = { format: FORMAT, revision: store.revision };
  const lines = [JSON.stringify(header)];
  for (const { key, value, createRevision, modRevision } of store.objects()) {
    const expiresAt = store.expiresAt(key);
    const line: Line = {
      ...{ key, value: value.toString('base64'), created: createRevision, modified: modRevision },
      ...(expiresAt !== undefined && { ttlMs: expiresAt - clock.now() }),
    };
    lines.push(JSON.stringify(line));
  }
  await writeFile(file, `${lines.join('\n')}\n`, { mode: ONLY_OWNER });
}

/** The store of a snapshot. Rejects with a TypeError for other content, and with the failure of the file. */
export async function readSnapshot(file: string, clock: Clock): Promise<MemoryStore> {
  const [first = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const header = parsed<Header>(first, `${file} must be a snapshot of a control plane`);
  if (header.format !== FORMAT || !Number.isSafeInteger(header.revision))
    throw new TypeError(`${file} must be a snapshot of a control plane, of the format ${FORMAT}`);
  const versions = lines.map((text, i) => {
    const line = parsed<Line>(text, `line ${i + 2} of ${file} must have a key and a value`);
    if (typeof line.key !== 'string' || typeof line.value !== 'string' || !isBelow(line, header.revision))
      throw new TypeError(
        `line ${i + 2} of ${file} must have a key, a value and revisions up to ${header.revision}`,
      );
    return line;
  });
  const content = new ModelContent();
  for (const line of versions.sort((a, b) => a.modified - b.modified)) {
    const { key, value, created: createRevision, modified: rev, ttlMs } = line;
    const kv = { key, value: Buffer.from(value, 'base64'), createRevision, modRevision: rev };
    content.append({ rev, key, kv }, ttlMs === undefined ? undefined : clock.now() + ttlMs);
  }
  content.rev = header.revision;
  // Deletions and earlier states are not in a snapshot.
  content.compacted = header.revision;
  return MemoryStore.of(content, clock);
}

const isBelow = ({ created, modified }: Line, revision: Revision): boolean =>
  [created, modified].every((one) => Number.isSafeInteger(one) && one > 0 && one <= revision);

function parsed<T>(text: string, problem: string): Partial<T> & T {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as T;
  } catch (cause) {
    throw new TypeError(problem, { cause });
  }
  throw new TypeError(problem);
}
