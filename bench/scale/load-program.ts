/**
 * A part of the load of a cluster, in a separate process: the agents of nodes with the scheduler, or users. Answers `start` when it
 * runs, and a number of seconds with the latencies in that time.
 */
import { connectionsOf } from './connections.ts';
import { Latencies } from './latencies.ts';
import { type LoadContext, type LoadOptions, pause } from './load.ts';
import { startNodeAgent } from './node-agents.ts';
import { BoundPods, runScheduler } from './scheduler.ts';
import { churn, rollOut, runUsers } from './users.ts';

/** Agents that start in a second: each opens several watches. */
const STARTS_PER_SECOND = 200;

const [, , part, configFiles = '[]', text = '{}'] = process.argv;
const options = JSON.parse(text) as LoadOptions;
const latencies = new Latencies();
const connections = await connectionsOf(JSON.parse(configFiles) as readonly string[], options);
const context: LoadContext = { options, ...connections, latencies };

async function startAgents(): Promise<void> {
  const bound = new BoundPods();
  void runScheduler(context, bound);
  for (let node = 0; node < options.nodes; node++) {
    startNodeAgent(context, node, bound);
    await pause(1000 / STARTS_PER_SECOND);
  }
}

async function measure(seconds: number): Promise<void> {
  latencies.begin();
  await pause(seconds * 1000);
  process.send?.(latencies.summaries());
}

async function startPart(): Promise<void> {
  if (part === 'agents') await startAgents();
  else for (const run of [churn, rollOut, runUsers]) void run(context);
  process.send?.('running');
}

process.on('message', (message: 'start' | number) => (message === 'start' ? startPart() : measure(message)));
