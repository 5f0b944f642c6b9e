import { anySignal } from '@orch/machinery/concurrency';

/** A resource that a program opens when it starts. */
export interface Opening<T> {
  /** Stops opening when the signal aborts. */
  open(signal: AbortSignal): Promise<T>;
  /** Releases the resource, if there is anything to release. */
  close?(opened: T): void | Promise<void>;
}

type Openings<T extends readonly unknown[]> = { readonly [K in keyof T]: Opening<T[K]> };
type Works<T extends readonly unknown[]> = {
  readonly [K in keyof T]: (signal: AbortSignal) => Promise<T[K]>;
};

/**
 * Opens several resources concurrently. When one fails, the others are aborted, those already open are closed, and the
 * first failure is thrown once that is done: nothing is left that would keep the process running.
 */
export async function openAll<T extends readonly unknown[]>(
  openings: Openings<T>,
  signal: AbortSignal,
): Promise<T> {
  using scope = anySignal([signal]);
  let failure: { readonly error: unknown } | undefined;
  const closeAll: (() => void | Promise<void>)[] = [];
  const openOne = async ({ open, close }: Opening<unknown>): Promise<unknown> => {
    try {
      const opened = await open(scope.signal);
      closeAll.push(() => close?.(opened));
      return opened;
    } catch (error) {
      failure ??= { error };
      scope.abort(error);
      return undefined;
    }
  };
  const opened = await Promise.all((openings as readonly Opening<unknown>[]).map(openOne));
  if (failure === undefined) return opened as readonly unknown[] as T;
  // A failure to close would hide why the start failed.
  await Promise.allSettled(closeAll.map(async (close) => close()));
  throw failure.error;
}

/** Runs several functions concurrently; the first failure aborts the others and is thrown once all have ended. */
export const runAll = <T extends readonly unknown[]>(works: Works<T>, signal: AbortSignal): Promise<T> =>
  openAll<T>(
    (works as readonly Opening<unknown>['open'][]).map((open) => ({ open })) as unknown as Openings<T>,
    signal,
  );
