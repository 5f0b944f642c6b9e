const LONG_MS = 2 ** 30;

/**
 * Keeps the process running until it is disposed. For programs that serve: what they wait for in the background
 * (`Clock.schedule`) would let the process end.
 */
export function keepProcessAlive(): Disposable {
  const timer = setInterval(() => undefined, LONG_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
