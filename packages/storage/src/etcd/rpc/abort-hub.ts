/** An operation that an abort cancels. */
export interface Abortable {
  abort(reason: unknown): void;
}

interface Entry {
  readonly targets: Set<Abortable>;
  readonly listener: () => void;
}

/**
 * One listener per signal, however many calls share it: a caller may use one signal for everything it does, and an
 * `AbortSignal` with hundreds of listeners is slow and warns about itself. The listener is removed with the last call.
 */
export class AbortHub {
  readonly #bySignal = new WeakMap<AbortSignal, Entry>();

  add(signal: AbortSignal, target: Abortable): void {
    const known = this.#bySignal.get(signal);
    if (known !== undefined) {
      known.targets.add(target);
      return;
    }
    const targets = new Set([target]);
    const listener = () => {
      this.#bySignal.delete(signal);
      for (const each of [...targets]) each.abort(signal.reason);
    };
    this.#bySignal.set(signal, { targets, listener });
    signal.addEventListener('abort', listener, { once: true });
  }

  remove(signal: AbortSignal, target: Abortable): void {
    const entry = this.#bySignal.get(signal);
    if (entry === undefined) return;
    entry.targets.delete(target);
    if (entry.targets.size > 0) return;
    this.#bySignal.delete(signal);
    signal.removeEventListener('abort', entry.listener);
  }
}
