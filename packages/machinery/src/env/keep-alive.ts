const longMs = 2 ** 30;

/**
 * Keeps the process running until it is disposed. For programs: the timers of a clock do not, so that one that only
 * waits to try something again would end without a word.
 */
export function keepProcessAlive(): Disposable {
  const timer = setInterval(() => undefined, longMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
