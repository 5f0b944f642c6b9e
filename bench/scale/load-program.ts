/** Runs the load of a cluster on a server, in a separate process. `fill` creates the cluster, `measure` runs it and answers its latencies. */
import { connectionsOf } from './connections.ts';
import { Latencies } from './latencies.ts';
import { eachOf, type LoadContext, type LoadOptions, pause } from './load.ts';
import { registerNode, runNodeAgent } from './node-agents.ts';
import { BoundPods, runScheduler } from './scheduler.ts';
import { churn, createRunningPod, runUsers } from './users.ts';

const [, , adminConfig = '', text = '{}'] = process.argv;
const options = JSON.parse(text) as LoadOptions;
const connections = await connectionsOf(adminConfig, options.nodes);
const stop = new AbortController();
const latencies = new Latencies();
const context: LoadContext = { options, ...connections, latencies, signal: stop.signal };

const WIDTH = 32;

async function fill(): Promise<void> {
  const { core } = context.clientOf(0);
  const names = [...Array.from({ length: options.namespaces }, (_, i) => `load-${i}`), 'kube-node-lease'];
  for (const name of names)
    await latencies.time('create namespaces', stop.signal, () =>
      core.v1.namespaces.create({ metadata: { name } }),
    );
  await eachOf(options.nodes, WIDTH, (i) => registerNode(context, i));
  await eachOf(options.nodes * options.podsPerNode, WIDTH, (i) => createRunningPod(context, i));
}

/** Everything runs for a while before the measurement begins. */
async function measure(seconds: number): Promise<void> {
  const bound = new BoundPods();
  const all = [
    runScheduler(context, bound),
    ...Array.from({ length: options.nodes }, (_, i) => runNodeAgent(context, i, bound)),
  ];
  await pause(5000, stop.signal);
  process.send?.({ phase: 'begun' });
  latencies.begin();
  all.push(churn(context), runUsers(context));
  await pause(seconds * 1000, stop.signal);
  process.send?.({ phase: 'ended', latencies: latencies.summaries() });
  stop.abort();
  await Promise.allSettled(all);
}

process.on('message', (message: { readonly fill?: true; readonly seconds?: number }) => {
  const work =
    message.fill === true
      ? fill().then(() => process.send?.({ phase: 'filled' }))
      : measure(message.seconds ?? 0);
  work.catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
process.send?.({ phase: 'ready' });
