import { join } from 'node:path';
import { isJsonObject, parseJson } from '@orch/machinery/json';
import { StartError, writeProblem } from '@orch/program';
import type { FileChange } from './draft.ts';
import type { FileSystem } from './file-system.ts';
import { isSecretFile } from './parts.ts';

/** Lists the files that are replaced and removed together. Exists only during such a change. */
const COMMIT = '.commit';

const draftOf = (file: string): string => `.${file}.draft`;
const isDraft = (file: string): boolean => file.startsWith('.') && file.endsWith('.draft');

interface Commit {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/**
 * The files of a cluster in a folder. All changes of a run take effect together: they are written to drafts, then a
 * file lists them, and then they are moved. A run that was interrupted before the list has no effect; one that was
 * interrupted later is completed by the next run.
 */
export class InitFolder {
  readonly #dir: string;
  readonly #fs: FileSystem;

  constructor(dir: string, fs: FileSystem) {
    this.#dir = dir;
    this.#fs = fs;
  }

  /** Whether an earlier run was interrupted after its changes took effect. */
  get isInterrupted(): boolean {
    return this.#attempt('read', COMMIT, () => this.#fs.read(this.#path(COMMIT))) !== undefined;
  }

  /** Completes or removes the remains of an interrupted run. */
  recover(): void {
    const text = this.#attempt('read', COMMIT, () => this.#fs.read(this.#path(COMMIT)));
    if (text !== undefined) this.#apply(readCommit(this.#path(COMMIT), text));
    for (const file of this.#list().filter(isDraft)) this.#remove(file);
  }

  /** The content of the files that exist. */
  read(names: readonly string[]): ReadonlyMap<string, string> {
    const files = new Map<string, string>();
    for (const file of names) {
      const text = this.#attempt('read', file, () => this.#fs.read(this.#path(file)));
      if (text !== undefined) files.set(file, text);
    }
    return files;
  }

  /** Makes all changes, or none. Throws a `StartError` that names the file and the reason. */
  commit(changes: readonly FileChange[]): void {
    if (changes.length === 0) return;
    const written = changes.filter(({ text }) => text !== undefined).map(({ file }) => file);
    const removed = changes.filter(({ text }) => text === undefined).map(({ file }) => file);
    const commit: Commit = { written, removed };
    try {
      for (const { file, text } of changes)
        if (text !== undefined) this.#write(draftOf(file), text, isSecretFile(file) ? 0o600 : 0o644);
      this.#write(draftOf(COMMIT), JSON.stringify(commit), 0o600);
      this.#sync();
      this.#rename(draftOf(COMMIT), COMMIT);
    } catch (error) {
      this.#discard([...written, COMMIT].map(draftOf));
      throw error;
    }
    this.#apply(commit);
  }

  #apply({ written, removed }: Commit): void {
    this.#sync();
    const left = new Set(this.#list());
    // A file without a draft was moved before an interruption.
    for (const file of written) if (left.has(draftOf(file))) this.#rename(draftOf(file), file);
    for (const file of removed) this.#remove(file);
    this.#sync();
    this.#remove(COMMIT);
  }

  /** The reason of the failure is more important than a draft that cannot be removed: the next run removes it. */
  #discard(drafts: readonly string[]): void {
    for (const draft of drafts) {
      try {
        this.#fs.remove(this.#path(draft));
      } catch {}
    }
  }

  #path(file: string): string {
    return join(this.#dir, file);
  }

  #list(): readonly string[] {
    return this.#attempt('list', '', () => this.#fs.list(this.#dir));
  }

  #write(file: string, text: string, mode: number): void {
    this.#attempt('write', file, () => this.#fs.write(this.#path(file), text, mode));
  }

  #rename(from: string, to: string): void {
    this.#attempt('replace', to, () => this.#fs.rename(this.#path(from), this.#path(to)));
  }

  #remove(file: string): void {
    this.#attempt('remove', file, () => this.#fs.remove(this.#path(file)));
  }

  #sync(): void {
    this.#attempt('write', '', () => this.#fs.syncFolder(this.#dir));
  }

  #attempt<T>(verb: string, file: string, work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw new StartError(
        `cannot ${verb} ${file === '' ? this.#dir : this.#path(file)}: ${writeProblem(this.#dir, cause)}`,
        {
          cause,
        },
      );
    }
  }
}

function readCommit(path: string, text: string): Commit {
  const isTexts = (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && !/[/\\]/.test(one));
  try {
    const content = parseJson(Buffer.from(text));
    if (isJsonObject(content)) {
      const { written, removed } = content;
      if (isTexts(written) && isTexts(removed)) return { written, removed };
    }
  } catch {}
  throw new StartError(`${path} is damaged: restore the folder from a backup`);
}
