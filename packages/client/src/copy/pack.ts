import { createReadStream, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CopyError } from './copy-error.ts';
import { archiveEnd, padding, writeHeader } from './tar/tar-header.ts';

/** The archive of a local file or folder under another name, in constant memory. Rejects when a file changes its size meanwhile. */
export async function* packed(path: string, name: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* members(path, name);
  yield archiveEnd();
}

async function* members(path: string, name: string): AsyncGenerator<Uint8Array, void, undefined> {
  const stat = lstatSync(path);
  const { mode } = stat;
  if (stat.isDirectory()) {
    yield writeHeader({ name: `${name}/`, type: '5', size: 0, mode });
    for (const entry of readdirSync(path).toSorted()) yield* members(join(path, entry), `${name}/${entry}`);
  } else if (stat.isSymbolicLink()) {
    yield writeHeader({ name, type: '2', size: 0, mode: 0o777, linkName: readlinkSync(path) });
  } else if (stat.isFile()) {
    yield writeHeader({ name, type: '0', size: stat.size, mode });
    yield* content(path, stat.size);
    yield padding(stat.size);
  }
}

async function* content(path: string, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  if (size === 0) return;
  let left = size;
  for await (const chunk of createReadStream(path, { end: size - 1 })) {
    const bytes = chunk as Buffer;
    left -= bytes.length;
    yield bytes;
  }
  if (left > 0) throw new CopyError(`${path} has become shorter while it was copied`);
}
