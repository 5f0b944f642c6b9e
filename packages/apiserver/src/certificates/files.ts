import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Random } from '@orch/machinery';
import { createFolder } from '@orch/machinery/create-folder';

/** Writes a file atomically, readable by its owner only. Creates its folder. */
export function writePrivateFile(path: string, content: string, random: Random): void {
  createFolder(dirname(path));
  const draft = `${path}.${random.uuid()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The content of a file; undefined when it does not exist. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === code;
