import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Env, messageOf } from '@orch/machinery';
import { type HealthCheck, healthy, readFlagFile, unhealthy } from '@orch/program';
import type { ReloadMetrics } from './reload-metrics.ts';
import { WatchedFiles } from './watched-files.ts';

/** A flag with the path of a file; no file when the path is empty. */
export interface FileFlag {
  readonly flag: string;
  readonly path: string;
}

/** Reads a file that another file names; from then on it is watched too. Throws the error of the file system. */
export type IncludeFile = (path: string) => string;

export interface ReloadedFilesOptions<T> {
  /** Name of the health check; the flag of the first file when absent. */
  readonly name?: string;
  /** The content of the files, for the log: `the encryption configuration`. */
  readonly title: string;
  readonly files: readonly FileFlag[];
  /**
   * Parses the content of the files, which are in the order of `files`; `previous` is undefined at the start. Throws
   * without an effect when they are invalid: at the start a `StartError`, or an error that the caller turns into one.
   */
  readonly read: (texts: readonly string[], previous: T | undefined, include: IncludeFile) => T;
  /** Called before `read` when the files have changed. When it rejects, the files are not used, and it is called again later. */
  readonly prepare?: (texts: readonly string[], current: T) => Promise<void>;
  readonly metrics: ReloadMetrics;
  readonly env: Pick<Env, 'clock' | 'log'>;
}

/**
 * Files that are read at the start and again whenever one of them changes. While the changed files are invalid, the previous
 * content remains in use; the log, the metrics and a health check report that.
 */
export class ReloadedFiles<T> {
  /** Fails while the files are others than those in use. The name is the flag of the first file. */
  readonly check: HealthCheck;
  readonly #options: ReloadedFilesOptions<T>;
  readonly #watched: WatchedFiles;
  #content: Content<T>;
  #failure: string | undefined;

  /** Reads the files; throws a `StartError` when they cannot be read, and what `read` throws. */
  constructor(options: ReloadedFilesOptions<T>) {
    this.#options = options;
    const { files, metrics, name = files[0]?.flag ?? '' } = options;
    this.#watched = new WatchedFiles(pathsOf(files));
    this.#content = this.#contentOf(textsOf(files), undefined);
    metrics.inUse(this.hash);
    this.check = {
      name,
      // The previous content remains in use.
      isNotice: true,
      run: () => (this.#failure === undefined ? healthy : unhealthy(this.#failure)),
    };
  }

  /** The last valid content. */
  get current(): T {
    return this.#content.value;
  }

  /** Digest of the content in use, without included files. */
  get hash(): string {
    return hashOf(this.#content.texts);
  }

  /** Reloads the files when they change, until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#watched.watch(this.#options.env.clock, () => this.#reload(), signal);
  }

  /** False when another attempt may succeed, although the files have not changed. */
  async #reload(): Promise<boolean> {
    const { title, files, prepare, metrics, env } = this.#options;
    let isPreparing = false;
    try {
      const texts = textsOf(files);
      if (this.#isChanged(texts)) {
        isPreparing = prepare !== undefined;
        await prepare?.(texts, this.current);
        isPreparing = false;
        this.#content = this.#contentOf(texts, this.current);
        this.#watched.retain(new Set([...pathsOf(files), ...this.#content.included.keys()]));
        metrics.reloaded('success');
        metrics.inUse(this.hash);
        env.log.info(`${title} was reloaded`, { file: this.#watched.paths.join(', ') });
      }
      this.#failure = undefined;
      return true;
    } catch (error) {
      this.#failure = messageOf(error);
      metrics.reloaded('failure');
      env.log.error(`${title} cannot be used; keeping the previous one`, {
        file: this.#watched.paths.join(', '),
        error: this.#failure,
      });
      return !isPreparing;
    }
  }

  #contentOf(texts: readonly string[], previous: T | undefined): Content<T> {
    const included = new Map<string, string>();
    const include: IncludeFile = (path) => {
      this.#watched.add(path);
      const text = readFileSync(path, 'utf8');
      included.set(path, text);
      return text;
    };
    return { value: this.#options.read(texts, previous, include), texts, included };
  }

  #isChanged(texts: readonly string[]): boolean {
    const { texts: known, included } = this.#content;
    if (known.some((text, at) => text !== texts[at])) return true;
    return [...included].some(([path, text]) => readFileSync(path, 'utf8') !== text);
  }
}

interface Content<T> {
  readonly value: T;
  /** Contents of the files, in their order. */
  readonly texts: readonly string[];
  /** Contents of the files that these name, by path. */
  readonly included: ReadonlyMap<string, string>;
}

const pathsOf = (files: readonly FileFlag[]): readonly string[] =>
  files.map(({ path }) => path).filter((path) => path !== '');

/** The content of each file; empty for an empty path. Throws a `StartError` for one that cannot be read. */
export const textsOf = (files: readonly FileFlag[]): readonly string[] =>
  files.map(({ flag, path }) => (path === '' ? '' : readFlagFile(flag, path)));

/** Returns the SHA-256 digest of the contents; that of one file is the digest of its content. */
function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const [at, text] of texts.entries()) hash.update(at === 0 ? text : `\0${text}`);
  return hash.digest('hex');
}
