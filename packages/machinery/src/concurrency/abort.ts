import type { Clock } from '../env.ts';

/** The reason of a signal of `withDeadline` that aborted by itself. */
export class DeadlineExceeded extends Error {
  readonly afterMs: number;

  constructor(afterMs: number) {
    super(`deadline exceeded after ${afterMs} ms`);
    this.name = 'DeadlineExceeded';
    this.afterMs = afterMs;
  }
}

/** A signal for the duration of some work: dispose it when the work is over, so that nothing stays registered. */
export interface ScopedSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Aborts the scoped signal, and only it. */
  abort(reason?: unknown): void;
}

const ignore = (): void => {};

/**
 * Allows a signal any number of listeners, which is usual. Node 20 warns of a leak when it has more than ten; later versions, which
 * have `Promise.withResolvers`, do not.
 */
export function allowListeners(signal: AbortSignal): void {
  if ('withResolvers' in Promise) return;
  globalThis.process?.getBuiltinModule?.('node:events').setMaxListeners(0, signal);
}

/** The listeners of the signals that have many of them at a time. */
const manyOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Prepares a signal for many listeners at a time, such as one of each watch: `onAbort` then adds and removes one in constant time. An
 * EventTarget would search the list of all of them.
 */
export function expectManyListeners(signal: AbortSignal): void {
  if (signal.aborted || manyOf.has(signal)) return;
  const listeners = new Set<() => void>();
  manyOf.set(signal, listeners);
  const callAll = (): void => {
    for (const listener of listeners) callNow(listener);
    listeners.clear();
  };
  signal.addEventListener('abort', callAll, { once: true });
}

/** An error of one listener is uncaught, as that of a listener of an event, and the others are still called. */
function callNow(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Calls `listener` once when the signal aborts, at once when it has already; the result unregisters. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return ignore;
  }
  const many = manyOf.get(signal);
  if (many !== undefined) {
    many.add(listener);
    return () => many.delete(listener);
  }
  allowListeners(signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** A signal that aborts with any of its parents. Disposing it removes it from all of them. */
export function anySignal(parents: readonly AbortSignal[]): ScopedSignal {
  const controller = new AbortController();
  const unregister: (() => void)[] = [];
  const release = (): void => {
    for (const remove of unregister.splice(0)) remove();
  };
  const abort = (reason?: unknown): void => {
    release();
    controller.abort(reason);
  };
  for (const parent of parents) {
    if (controller.signal.aborted) break;
    unregister.push(onAbort(parent, () => abort(parent.reason)));
  }
  return { signal: controller.signal, abort, [Symbol.dispose]: release };
}

/**
 * A signal that aborts with `parent`, and with a DeadlineExceeded `ms` from now. `using` it frees the timer, which
 * keeps the process running, and the registration at the parent.
 */
export function withDeadline(parent: AbortSignal, clock: Clock, ms: number): ScopedSignal {
  const scope = anySignal([parent]);
  if (scope.signal.aborted) return scope;
  const cancel = clock.scheduleAwaited(ms, () => scope.abort(new DeadlineExceeded(ms)));
  const uncancel = onAbort(scope.signal, cancel);
  return {
    signal: scope.signal,
    abort: scope.abort,
    [Symbol.dispose]() {
      cancel();
      uncancel();
      scope[Symbol.dispose]();
    },
  };
}

/** Resolves after `ms`; rejects with the signal's reason when that comes first. Keeps the process running until then. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const cancel = clock.scheduleAwaited(ms, () => {
      unregister();
      resolve();
    });
    const unregister = onAbort(signal, () => {
      cancel();
      reject(signal.reason);
    });
  });
}

/**
 * Waits for `promise` until the signal aborts at the latest. Only the waiting ends: the work of the promise continues
 * unless it observes the signal itself, and its late failure is not reported as unhandled.
 */
export function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unregister = onAbort(signal, () => reject(signal.reason));
    promise.then(
      (value) => {
        unregister();
        resolve(value);
      },
      (error) => {
        unregister();
        reject(error);
      },
    );
  });
}

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => void onAbort(signal, resolve));
