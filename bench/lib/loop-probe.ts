/**
 * Loaded into a measured server (`--import`): reports the longest time for which its event loop was held. It measures the
 * CPU of the thread between two iterations of the loop, so that other load on the machine does not count. On SIGUSR2 it
 * writes a line to the standard error output and begins again.
 */
import { isMainThread } from 'node:worker_threads';

const INTERVAL_MS = 1;

const cpuMillis = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

if (isMainThread) {
  let longest = 0;
  let last = cpuMillis();
  let reports = 0;
  setInterval(() => {
    const now = cpuMillis();
    longest = Math.max(longest, now - last);
    last = now;
  }, INTERVAL_MS).unref();
  process.on('SIGUSR2', () => {
    reports += 1;
    process.stderr.write(`hold ${reports}: ${longest.toFixed(2)} ms\n`);
    longest = 0;
  });
}
