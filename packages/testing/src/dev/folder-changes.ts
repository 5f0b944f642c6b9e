import { type FSWatcher, watch } from 'node:fs';

/** Changes of files come in groups: an editor writes a file in several steps. */
const GATHER_MS = 50;

/** Calls a function after files below a folder have changed, once for changes in quick succession, until it is disposed of. */
export class FolderChanges implements Disposable {
  readonly #watcher: FSWatcher;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string, changed: () => void) {
    this.#watcher = watch(folder, { recursive: true }, () => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        changed();
      }, GATHER_MS);
    });
    // A folder that was removed is not read again; the control plane continues.
    this.#watcher.on('error', () => undefined);
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
    clearTimeout(this.#timer);
  }
}
