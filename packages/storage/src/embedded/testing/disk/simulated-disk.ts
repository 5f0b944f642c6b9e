import type { Random } from '@orch/machinery';
import { DIRECTORY, type DiskCall } from './disk-call.ts';

/** What a disk writes in one piece: a write that a loss of power interrupts ends between two of them. */
const SECTOR_BYTES = 512;

type ContentChange = { readonly at: number; readonly bytes: Buffer } | { readonly size: number };

interface Pending<T> {
  readonly number: number;
  readonly change: T;
}

interface FileState {
  durable: Buffer;
  content: Buffer;
  pending: Pending<ContentChange>[];
}

interface NameChange {
  readonly remove?: string;
  readonly add?: { readonly name: string; readonly file: FileState };
}

/** The files after a crash. */
export type DiskImage = ReadonlyMap<string, Buffer>;

/**
 * A disk to which the recorded calls of a process are applied. It promises what POSIX does, and nothing beyond: what was not synced
 * before a loss of power may be there or not, in any combination, and a write may be there in parts. A name is synced with its directory.
 */
export class SimulatedDisk {
  readonly #files = new Map<string, FileState>();
  readonly #durableNames = new Map<string, FileState>();
  #pendingNames: Pending<NameChange>[] = [];
  #calls = 0;

  apply(call: DiskCall): void {
    const number = this.#calls++;
    switch (call.kind) {
      case 'create':
        if (!this.#files.has(call.file)) this.#name(number, { add: { name: call.file, file: emptyFile() } });
        break;
      case 'write':
        this.#change(call.file, { at: call.at, bytes: call.bytes }, number);
        break;
      case 'append':
        this.#change(
          call.file,
          { at: this.#files.get(call.file)?.content.length ?? 0, bytes: call.bytes },
          number,
        );
        break;
      case 'truncate':
        this.#change(call.file, { size: call.size }, number);
        break;
      case 'rename': {
        const file = this.#files.get(call.file);
        if (file !== undefined) this.#name(number, { remove: call.file, add: { name: call.to, file } });
        break;
      }
      case 'remove':
        this.#name(number, { remove: call.file });
        break;
      case 'sync':
        this.#sync(call.file, call.from);
        break;
      case 'report':
        break;
    }
  }

  /** The files when the process is killed: the kernel has everything. */
  killed(): DiskImage {
    return new Map([...this.#files].map(([name, { content }]) => [name, content]));
  }

  /** The files after a loss of power. */
  powerLost(random: Random): DiskImage {
    const names = new Map(this.#durableNames);
    const keepsName = keeping(random);
    for (const { change } of this.#pendingNames) if (keepsName()) renamed(names, change);
    return new Map([...names].map(([name, file]) => [name, contentAfterLoss(file, random)]));
  }

  #name(number: number, change: NameChange): void {
    renamed(this.#files, change);
    this.#pendingNames.push({ number, change });
  }

  #change(name: string, change: ContentChange, number: number): void {
    const file = this.#files.get(name);
    if (file === undefined) return;
    file.content = changed(file.content, change);
    file.pending.push({ number, change });
  }

  #sync(name: string, from: number): void {
    if (name === DIRECTORY) {
      for (const { number, change } of this.#pendingNames)
        if (number < from) renamed(this.#durableNames, change);
      this.#pendingNames = this.#pendingNames.filter(({ number }) => number >= from);
      return;
    }
    const file = this.#files.get(name);
    if (file === undefined) return;
    for (const { number, change } of file.pending)
      if (number < from) file.durable = changed(file.durable, change);
    file.pending = file.pending.filter(({ number }) => number >= from);
  }
}

const emptyFile = (): FileState => ({ durable: Buffer.alloc(0), content: Buffer.alloc(0), pending: [] });

function renamed(names: Map<string, FileState>, { remove, add }: NameChange): void {
  if (remove !== undefined) names.delete(remove);
  if (add !== undefined) names.set(add.name, add.file);
}

function changed(content: Buffer, change: ContentChange): Buffer {
  if ('size' in change) return resized(content, change.size);
  const grown = resized(content, Math.max(content.length, change.at + change.bytes.length));
  change.bytes.copy(grown, change.at);
  return grown;
}

/** A copy: images share no bytes with the disk. */
function resized(content: Buffer, size: number): Buffer {
  const result = Buffer.alloc(size);
  content.copy(result, 0, 0, Math.min(size, content.length));
  return result;
}

/** Decides about one change after the other. Losses of everything and of nothing are as frequent as mixtures. */
function keeping(random: Random): () => boolean {
  const share = [0, 1, 2, 3, 4][random.int(5)] ?? 0;
  return () => random.int(4) < share;
}

function contentAfterLoss({ durable, pending }: FileState, random: Random): Buffer {
  const keeps = keeping(random);
  let content = durable;
  for (const { change } of pending) {
    if (!keeps()) continue;
    content = changed(
      content,
      'size' in change || random.int(3) > 0 ? change : torn(content, change, random),
    );
  }
  return content;
}

/** A write of which some sectors are lost. */
function torn(
  content: Buffer,
  { at, bytes }: Extract<ContentChange, { bytes: Buffer }>,
  random: Random,
): ContentChange {
  const before = resized(content, Math.max(content.length, at + bytes.length));
  const mixed = Buffer.from(bytes);
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + SECTOR_BYTES - ((at + from) % SECTOR_BYTES));
    if (random.int(2) === 0) before.copy(mixed, from, at + from, at + to);
    from = to;
  }
  return { at, bytes: mixed };
}
