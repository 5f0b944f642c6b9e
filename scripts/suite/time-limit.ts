/**
 * Loaded into every test process: at its timeout the runner asks it to end, and the process then waits for its hooks, which may
 * never end. The number of milliseconds is the parameter `ms` of the address that this file is loaded from.
 */
const limit = Number(new URL(import.meta.url).searchParams.get('ms'));

setTimeout(() => {
  process.stderr.write(`the process did not end ${limit} ms after its start\n`);
  process.kill(process.pid, 'SIGKILL');
}, limit).unref();
