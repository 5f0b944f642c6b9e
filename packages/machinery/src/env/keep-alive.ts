const LONG_MS = 2 ** 30;

/**
 * Keeps the process running until it is disposed. For servers: the timers of `Clock.schedule` do not keep the process
 * running.
 */
export function keepProcessAlive(): Disposable {
  const timer = setInterval(() => undefined, LONG_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
