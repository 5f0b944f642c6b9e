/** The result of some work in this process, and the longest time for which it held the event loop, in milliseconds of CPU. */
export async function holding<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly holdMs: number }> {
  let last = cpuMillis();
  let holdMs = 0;
  let isDone = false;
  const note = (): void => {
    const now = cpuMillis();
    holdMs = Math.max(holdMs, now - last);
    last = now;
  };
  const iterate = (): void => {
    note();
    if (!isDone) setImmediate(iterate);
  };
  setImmediate(iterate);
  const result = await work().finally(() => {
    isDone = true;
  });
  note();
  return { result, holdMs };
}

const cpuMillis = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
