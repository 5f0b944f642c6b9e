import { once } from 'node:events';
import { createReadStream, existsSync, rmSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type BackupSecret, verifyBackup } from '@orch/backup';
import { StartError } from '@orch/program';
import type { BackupHost } from './host.ts';
import { Progress } from './progress.ts';

/** File name that selects standard output. */
export const STANDARD_OUTPUT = '-';

/** Destination of a backup. */
export interface BackupOutput {
  readonly path: string;
  readonly stdout: NodeJS.WriteStream;
}

/** Throws a `StartError` when the file exists, since backups are never overwritten, or its folder does not. */
export function refuseUnusable(path: string): void {
  if (path === STANDARD_OUTPUT) return;
  if (existsSync(path)) throw new StartError(`the file ${path} already exists`);
  const folder = dirname(path);
  if (!existsSync(folder)) throw new StartError(`the folder ${folder} does not exist`);
}

/**
 * Writes a file that only its owner can read, and returns its size. The file gets its name once all of it is durable:
 * an interrupted run leaves `FILE.partial`, which the next run replaces.
 */
export async function writeBackup(
  chunks: AsyncIterable<Buffer>,
  { path, stdout }: BackupOutput,
): Promise<number> {
  return path === STANDARD_OUTPUT ? writeStream(chunks, stdout) : writeFile(chunks, path);
}

async function writeFile(chunks: AsyncIterable<Buffer>, path: string): Promise<number> {
  const partial = `${path}.partial`;
  // Not the file of an interrupted run, whose mode may differ.
  rmSync(partial, { force: true });
  const file = await open(partial, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      bytes += chunk.length;
    }
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(partial, { force: true });
    throw error;
  }
  await file.close();
  await rename(partial, path);
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
  return bytes;
}

async function writeStream(chunks: AsyncIterable<Buffer>, stdout: NodeJS.WriteStream): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (!stdout.write(chunk)) await once(stdout, 'drain');
  }
  return bytes;
}

export const readBackup = (path: string): AsyncIterable<Buffer> =>
  createReadStream(path, { highWaterMark: 256 * 1024 });

/** Checks every byte of a backup, and shows how many of them were read. */
export async function checkBackup(
  path: string,
  secret: BackupSecret | undefined,
  { env, stderr }: Pick<BackupHost, 'env' | 'stderr'>,
): ReturnType<typeof verifyBackup> {
  using progress = new Progress({ stream: stderr, clock: env.clock, title: 'checking', unit: 'bytes' });
  if (!existsSync(path)) throw new StartError(`${path}: there is no such file`);
  const { size } = await stat(path);
  return await verifyBackup(
    counted(readBackup(path), (bytes) => progress.show(bytes, size)),
    secret,
  );
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    onBytes(bytes);
    yield chunk;
  }
}
