/** The result of a request, and the iterations of the event loop until it is there. */
export async function countingIterations<T>(
  request: Promise<T>,
): Promise<{ readonly result: T; readonly iterations: number }> {
  let iterations = 0;
  let isDone = false;
  const count = (): void => {
    iterations += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const result = await request.finally(() => {
    isDone = true;
  });
  return { result, iterations };
}
