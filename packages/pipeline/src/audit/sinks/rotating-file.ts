import { closeSync, fstatSync, openSync, readdirSync, renameSync, unlinkSync, writeSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Clock, Logger } from '@orch/machinery';
import { createFolder } from '@orch/machinery/create-folder';
import type { AuditLines } from './log-sink.ts';
import { PACKED, Packer, UNFINISHED } from './packer.ts';
import type { SharedFile } from './shared-file.ts';

export interface RotationOptions {
  readonly path: string;
  /** Maximum size before the file is rotated; 0 for 100 MiB. */
  readonly maxBytes: number;
  /** Rotated files older than this are deleted; 0 for never. */
  readonly maxAgeMs: number;
  /** Maximum number of rotated files; 0 for all. */
  readonly maxBackups: number;
  /** Whether rotated files are compressed in the background. */
  readonly compress?: boolean;
  /** The state of the file where other threads write it, too. */
  readonly shared?: SharedFile | undefined;
  /** In a thread that leaves rotated files to another one: called when it has rotated the file. */
  readonly onRotated?: (() => void) | undefined;
}

const DEFAULT_MAX_BYTES = 100 * 1024 * 1024;
/** Interval at which the file is opened again after a failure. */
const RETRY_MS = 1000;

/**
 * Writes lines to a file with permissions for its owner only. `write` returns after the write to the operating system.
 * A full file is renamed with a timestamp; rotated files beyond the limits of age and number are deleted. The lines of several
 * threads are not mixed. While the disk fails, lines are dropped, and the file is opened again every second.
 */
export class RotatingFile implements AuditLines {
  readonly #options: RotationOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #maxBytes: number;
  #fd: number | undefined;
  #size = 0;
  #generation = 0;
  #retryAt = 0;
  readonly #packer: Packer | undefined;

  /** Opens the file; throws on failure. */
  constructor(options: RotationOptions, { clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
    this.#maxBytes = options.maxBytes === 0 ? DEFAULT_MAX_BYTES : options.maxBytes;
    createFolder(dirname(options.path));
    this.#packer = options.compress === true ? new Packer(log) : undefined;
    this.#open();
    if (options.onRotated !== undefined) return;
    this.#removeUnfinished();
    this.tidy();
  }

  write(line: string): boolean {
    const bytes = Buffer.from(line);
    if (this.#fd === undefined && this.#clock.monotonic() < this.#retryAt) return false;
    const { shared } = this.#options;
    return shared === undefined ? this.#append(bytes) : shared.alone(() => this.#append(bytes));
  }

  #append(bytes: Buffer): boolean {
    try {
      this.#follow();
      if (this.#fd === undefined) this.#open();
      if (this.#size > 0 && this.#size + bytes.length > this.#maxBytes) this.#rotate();
      for (let written = 0; written < bytes.length; ) written += writeSync(this.#fd ?? -1, bytes, written);
      this.#size += bytes.length;
      return true;
    } catch (error) {
      this.#log.error('the audit log cannot be written', { path: this.#options.path, error });
      this.#closeFile();
      this.#retryAt = this.#clock.monotonic() + RETRY_MS;
      return false;
    }
  }

  async close(): Promise<void> {
    this.#closeFile();
    // Lines after the close are dropped: the file is not opened again.
    this.#retryAt = Number.POSITIVE_INFINITY;
    await this.#packer?.close();
  }

  /** Uses the file and the size to which other threads have changed it. */
  #follow(): void {
    const { shared } = this.#options;
    if (shared === undefined || this.#fd === undefined) return;
    if (shared.generation === this.#generation) {
      this.#size = fstatSync(this.#fd).size;
    } else {
      this.#closeFile();
      this.#open();
    }
  }

  #open(): void {
    this.#generation = this.#options.shared?.generation ?? 0;
    this.#fd = openSync(this.#options.path, 'a', 0o600);
    this.#size = fstatSync(this.#fd).size;
  }

  #closeFile(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd === undefined) return;
    try {
      closeSync(fd);
    } catch (error) {
      this.#log.warn('the audit log could not be closed', { path: this.#options.path, error });
    }
  }

  #rotate(): void {
    this.#closeFile();
    const { path, shared, onRotated } = this.#options;
    renameSync(path, this.#backupPath());
    shared?.replaced();
    this.#open();
    if (onRotated === undefined) this.tidy();
    else onRotated();
  }

  /** Name with a timestamp, and a number when there are two in one millisecond. */
  #backupPath(): string {
    const { folder, stem, extension } = this.#parts();
    const time = new Date(this.#clock.now()).toISOString().replaceAll(':', '-').replace('Z', '');
    const taken = new Set(readdirSync(folder).map((name) => name.replace(/\.gz$/, '')));
    for (let number = 0; ; number++) {
      const name = `${stem}-${time}${number === 0 ? '' : `-${String(number).padStart(3, '0')}`}${extension}`;
      if (!taken.has(name)) return join(folder, name);
    }
  }

  #parts() {
    const extension = extname(this.#options.path);
    return {
      folder: dirname(this.#options.path),
      stem: basename(this.#options.path, extension),
      extension,
    };
  }

  /** Resolves when all rotated files are compressed, if they should be. */
  async packed(): Promise<void> {
    await this.#packer?.idle();
  }

  /** Deletes incomplete compressed files of an interrupted run. */
  #removeUnfinished(): void {
    const { folder, stem, extension } = this.#parts();
    for (const name of readdirSync(folder)) {
      const isOurs = timeOf(name.slice(0, -UNFINISHED.length), stem, extension) !== undefined;
      if (name.endsWith(UNFINISHED) && isOurs) this.#remove(join(folder, name));
    }
  }

  /** Deletes rotated files beyond the limits, and compresses the others, also those of earlier runs. */
  tidy(): void {
    const { folder } = this.#parts();
    const isKept = this.#keeps();
    for (const [place, { name, at }] of this.#aside().entries()) {
      if (!isKept(place, at)) this.#remove(join(folder, name));
      else if (!name.endsWith(PACKED)) this.#packer?.pack(join(folder, name));
    }
  }

  #keeps(): (place: number, at: number) => boolean {
    const { maxAgeMs, maxBackups } = this.#options;
    const now = this.#clock.now();
    return (place, at) =>
      (maxAgeMs === 0 || now - at <= maxAgeMs) && (maxBackups === 0 || place < maxBackups);
  }

  /** Rotated files, newest first. */
  #aside(): readonly { readonly name: string; readonly at: number }[] {
    const { folder, stem, extension } = this.#parts();
    return readdirSync(folder)
      .flatMap((name) => {
        const at = timeOf(name, stem, extension);
        return at === undefined ? [] : [{ name, at }];
      })
      .sort((a, b) => (a.name < b.name ? 1 : -1));
  }

  #remove(path: string): void {
    try {
      unlinkSync(path);
    } catch (error) {
      this.#log.warn('an old audit log could not be deleted', { path, error });
    }
  }
}

const backupTime = /^-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})(?:-\d{3,})?$/;

/** The time of rotation; undefined for other files. */
function timeOf(name: string, stem: string, extension: string): number | undefined {
  const plain = name.endsWith(PACKED) ? name.slice(0, -PACKED.length) : name;
  if (!plain.startsWith(stem) || !plain.endsWith(extension)) return undefined;
  const match = backupTime.exec(plain.slice(stem.length, plain.length - extension.length));
  return match === null ? undefined : Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`);
}
