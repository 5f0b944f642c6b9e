import { createHash } from 'node:crypto';
import { type Env, messageOf } from '@orch/machinery';
import { type HealthCheck, healthy, readFlagFile, unhealthy } from '@orch/program';
import type { ReloadMetrics } from './reload-metrics.ts';
import { WatchedFiles } from './watched-files.ts';

/** A flag with the path of a file; no file when the path is empty. */
export interface FileFlag {
  readonly flag: string;
  readonly path: string;
}

export interface ReloadedFilesOptions<T> {
  /** What the files contain, for the log: `the encryption configuration`. */
  readonly title: string;
  readonly files: readonly FileFlag[];
  /**
   * The meaning of the texts of the files, which are in the order of `files`; `previous` is undefined at the start. Throws
   * without an effect when they are invalid: a `StartError`.
   */
  readonly read: (texts: readonly string[], previous: T | undefined) => T;
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
  #current: T;
  #hash: string;
  #failure: string | undefined;

  /** Reads the files; throws a `StartError` when they cannot be used. */
  constructor(options: ReloadedFilesOptions<T>) {
    this.#options = options;
    const { files, read, metrics } = options;
    this.#watched = new WatchedFiles(files.map(({ path }) => path).filter((path) => path !== ''));
    const texts = textsOf(files);
    this.#current = read(texts, undefined);
    this.#hash = hashOf(texts);
    metrics.inUse(this.#hash);
    this.check = {
      name: files[0]?.flag ?? '',
      // The previous content remains in use.
      isNotice: true,
      run: () => (this.#failure === undefined ? healthy : unhealthy(this.#failure)),
    };
  }

  /** The last valid content. */
  get current(): T {
    return this.#current;
  }

  /** Digest of the content in use. */
  get hash(): string {
    return this.#hash;
  }

  /** Reloads the files when they change, until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#watched.watch(this.#options.env.clock, () => this.#reload(), signal);
  }

  /** False when another attempt may succeed, although the files have not changed. */
  async #reload(): Promise<boolean> {
    const { title, files, read, prepare, metrics, env } = this.#options;
    const paths = files.map(({ path }) => path).join(', ');
    let isPreparing = false;
    try {
      const texts = textsOf(files);
      const hash = hashOf(texts);
      if (hash !== this.#hash) {
        isPreparing = prepare !== undefined;
        await prepare?.(texts, this.#current);
        isPreparing = false;
        this.#current = read(texts, this.#current);
        this.#hash = hash;
        metrics.reloaded('success');
        metrics.inUse(hash);
        env.log.info(`${title} was reloaded`, { file: paths });
      }
      this.#failure = undefined;
      return true;
    } catch (error) {
      this.#failure = messageOf(error);
      metrics.reloaded('failure');
      env.log.error(`${title} cannot be used; keeping the previous one`, {
        file: paths,
        error: this.#failure,
      });
      return !isPreparing;
    }
  }
}

/** The content of each file; empty for an empty path. Throws a `StartError` for one that cannot be read. */
export const textsOf = (files: readonly FileFlag[]): readonly string[] =>
  files.map(({ flag, path }) => (path === '' ? '' : readFlagFile(flag, path)));

/** Of one file: the SHA-256 digest of its content. */
function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const [at, text] of texts.entries()) hash.update(at === 0 ? text : `\0${text}`);
  return hash.digest('hex');
}
