/** Resolves in the next iteration of the event loop, so that pending I/O is handled before the caller continues. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
