import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** Changes of files come in groups: an editor writes a file in several steps. */
const GATHER_MS = 50;

/**
 * Calls a function after files below a folder have changed, once for changes in quick succession, until it is disposed of. The folder
 * may be removed and made again.
 */
export class FolderChanges implements Disposable {
  readonly #folder: string;
  readonly #changed: () => void;
  #watcher: FSWatcher | undefined;
  /** Watches the entries of the folder above, of which the folder is one. */
  readonly #above: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string, changed: () => void) {
    this.#folder = resolve(folder);
    this.#changed = changed;
    this.#above = watching(dirname(this.#folder), false, (name) => {
      if (name === basename(this.#folder)) this.#reopen();
    });
    this.#open();
  }

  #open(): void {
    this.#watcher = watching(this.#folder, true, () => this.#gather());
  }

  #reopen(): void {
    this.#watcher?.close();
    this.#open();
    this.#gather();
  }

  #gather(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed();
    }, GATHER_MS);
  }

  [Symbol.dispose](): void {
    this.#watcher?.close();
    this.#above?.close();
    clearTimeout(this.#timer);
  }
}

/** Watches a folder; undefined if it is gone or cannot be read. */
function watching(
  folder: string,
  recursive: boolean,
  seen: (name: string | null) => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { recursive }, (_event, name) => seen(name));
    // A folder that was removed; the control plane continues.
    watcher.on('error', () => undefined);
    return watcher;
  } catch {
    return undefined;
  }
}
