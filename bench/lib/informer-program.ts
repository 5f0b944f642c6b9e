/**
 * An informer over the pods of a server until it has all of them. Started as a program with `streaming` or
 * `listing`, and the configuration of the client in KUBECONFIG. Answers with its CPU time in milliseconds and the maximum of its memory since the client was made, in bytes.
 */
import { createClient, createInformer, loadConfig, typed } from '@orch/client';

const [how = 'streaming'] = process.argv.slice(2);
const config = await loadConfig({ naming: 'kubernetes' });
const client = createClient(config);
const { resource } = typed(client).core.v1.pods;
const stop = new AbortController();
const before = process.cpuUsage();
const idleBytes = process.memoryUsage.rss();
const informer = createInformer(
  { client, env: config.env, streaming: { enabled: how === 'streaming' } },
  resource,
);
const running = informer.run(stop.signal);
await informer.synced(stop.signal);
const { user, system } = process.cpuUsage(before);
const peakBytes = process.resourceUsage().maxRSS * 1024 - idleBytes;
console.log(JSON.stringify({ objects: informer.store.size, cpuMs: (user + system) / 1000, peakBytes }));
stop.abort();
await running;
await client.transport.close();
