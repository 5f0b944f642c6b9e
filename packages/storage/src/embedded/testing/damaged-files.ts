/** Damage to the files of a store: as by disks, operators and incomplete copies. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@orch/machinery';

/** Folders that hold one copy of the files each. */
export interface Sources {
  /** A file of another store. */
  readonly other: string;
  /** An earlier file of the same store. */
  readonly older: string;
}

export interface Choice {
  readonly sources: Sources;
  readonly random: Random;
  readonly changes: number;
}

export interface Damage {
  readonly title: string;
  /** Changes `file` in `dir`; false when there is nothing to change. */
  apply(dir: string): boolean;
}

const FRAME_BYTES = 4096 + 24;

/**
 * All kinds of damage to one file of `size` bytes, with bytes changed at `changes` random offsets; 0 bytes means no
 * file.
 */
export function damagesOf(file: string, size: number, { sources, random, changes }: Choice): Damage[] {
  const within = (name: string, change: (path: string) => void): Damage => ({
    title: `${file} ${name}`,
    apply(dir) {
      change(join(dir, file));
      return true;
    },
  });
  const flips = [
    0,
    1,
    16,
    24,
    28,
    60,
    100,
    size - 1,
    ...Array.from({ length: changes }, () => random.int(Math.max(size, 1))),
  ];
  const replacements = [
    replacement(file, 'of another store', sources.other),
    replacement(file, 'as it was earlier', sources.older),
  ];
  if (size === 0) return replacements;
  return [
    within('missing', (path) => rmSync(path)),
    within('empty', (path) => truncateSync(path)),
    ...truncations(size).map((bytes) => within(`cut to ${bytes} bytes`, (path) => truncateSync(path, bytes))),
    ...[...new Set(flips)]
      .filter((at) => at >= 0 && at < size)
      .map((at) => within(`with byte ${at} changed`, (path) => flip(path, at))),
    ...replacements,
  ];
}

function truncations(size: number): number[] {
  const offsets = [1, 31, 32, 33, 68, 100, 4096, size / 2, size - 4096, size - 2048, size - 1];
  const frames = Math.floor((size - 32) / FRAME_BYTES);
  for (const part of [1, frames / 3, frames / 2, frames - 2, frames - 1])
    offsets.push(32 + Math.floor(part) * FRAME_BYTES);
  return [...new Set(offsets.map(Math.floor))].filter((bytes) => bytes > 0 && bytes < size);
}

/** Changes one byte. */
export function flip(path: string, at: number): void {
  const byte = (readFileSync(path)[at] ?? 0) ^ 0x10;
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.from([byte]), 0, 1, at);
  closeSync(descriptor);
}

const replacement = (file: string, title: string, from: string): Damage => ({
  title: `${file} ${title}`,
  apply(dir) {
    if (!existsSync(join(from, file))) return false;
    copyFileSync(join(from, file), join(dir, file));
    return true;
  },
});
