/** Exits with 0 when the ops port of the container is healthy; the argument is another URL than that of an API server. */
const url = process.argv[2] ?? 'http://127.0.0.1:8080/livez';
try {
  const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  if (!ok) throw new Error(`status ${status}`);
} catch (error) {
  console.error(`${url}: ${error.cause?.message ?? error.message}`);
  process.exit(1);
}
