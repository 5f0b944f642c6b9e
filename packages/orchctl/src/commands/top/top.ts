import { jsonText } from '@orch/machinery/json';
import { choiceFlag, durationFlag, switchFlag, UsageError } from '@orch/program/flags';
import { command } from '../../cli/command.ts';
import type { Io, Terminal } from '../../io.ts';
import { LiveView } from './server/live-view.ts';
import { ServerSampler, type Snapshot } from './server/server-sampler.ts';
import { snapshotText } from './server/snapshot-text.ts';

const section = 'Flags';

/** Shorter intervals measure mostly the requests of this command. */
const SHORTEST_MS = 100;

export const top = command({
  usage: 'top [flags]',
  about:
    'Shows the API server itself: requests by verb with rates, latencies and errors, watches, freshness of the watch cache, flow control and replicas. On a terminal the view is renewed until q or Ctrl-C; otherwise one snapshot is printed.\n\nMetrics belong to the replica that answered, which the view names. Latencies are upper bounds of the buckets of histograms. The command needs the permission to get the path /metrics; what else its user may not read is named in the view. "orchctl top node" and "orchctl top pod" show the usage of nodes and pods.',
  examples: [
    { comment: 'One snapshot', line: 'orchctl top --once' },
    { comment: 'As JSON, over ten seconds', line: 'orchctl top -o json --interval=10s' },
  ],
  flags: {
    once: switchFlag({ name: 'once', help: 'Print one snapshot.', section }),
    intervalMs: durationFlag(
      { name: 'interval', help: 'Time between two reads of the metrics, at least 100ms.', section },
      2_000,
    ),
    output: choiceFlag(
      { name: 'output', short: 'o', help: 'json prints one snapshot as JSON.', section },
      ['', 'json'],
      '',
    ),
  },
  async run({ flags, words, io, session: open, signal }) {
    if (words.length > 0)
      throw new UsageError(
        `unexpected arguments: ${words.join(' ')}; "top" shows the server, "top node" and "top pod" show usage`,
      );
    const { once, output, intervalMs } = flags;
    if (intervalMs < SHORTEST_MS) throw new UsageError('--interval must be at least 100ms');
    const { terminal } = io;
    const session = await open();
    const isLive = terminal !== undefined && io.out.columns !== undefined && !once && output === '';
    if (isLive)
      return showLive(io, terminal, {
        signal,
        sampler: (ended) => new ServerSampler({ session, io, signal: ended, intervalMs }),
      });
    const snapshot = await new ServerSampler({ session, io, signal, intervalMs }).next();
    io.out.write(output === 'json' ? `${jsonText(snapshot, 2)}\n` : snapshotText(snapshot));
    return 0;
  },
});

interface LiveSampling {
  readonly signal: AbortSignal;
  readonly sampler: (ended: AbortSignal) => ServerSampler;
}

/** Shows snapshots until the user ends it. The terminal is restored before a failure is reported. */
async function showLive(io: Io, terminal: Terminal, { signal, sampler }: LiveSampling): Promise<number> {
  using view = new LiveView(io, terminal);
  const ended = AbortSignal.any([signal, view.ended]);
  const server = sampler(ended);
  view.show('reading metrics…    q or Ctrl-C ends');
  try {
    for (;;) view.show(liveText(await server.next()));
  } catch (error) {
    if (ended.aborted) return 0;
    throw error;
  }
}

const liveText = (snapshot: Snapshot): string => `${snapshotText(snapshot)}\nq or Ctrl-C ends`;
