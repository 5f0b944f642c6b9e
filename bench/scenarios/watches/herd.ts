import { join } from 'node:path';
import type { BenchContext, Subject } from '../../lib/context.ts';
import { withoutBody } from '../../lib/context.ts';
import { currentRevision } from '../../lib/fan-out.ts';
import { ForkedProgram } from '../../lib/forked-program.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { latenciesOf, percentile } from '../../lib/paced-requests.ts';

/** A watch of a replica that ends, with a connection each. */
const WATCHERS = Number(process.env['WATCHES'] ?? '20000') / 2;
const CONNECTIONS = 4;
const INTERVAL_MS = 20;
/** Of GETs of others at the 99th percentile. */
const LIMIT_MS = 100;

/** The arguments of the program with the watchers. */
export interface HerdOptions {
  readonly targets: readonly {
    readonly host: string;
    readonly port: number;
    readonly cert: string;
    readonly key: string;
  }[];
  readonly count: number;
  readonly path: string;
}

/** What happened to the watchers of a replica that ended. */
export interface Moved {
  /** Responses other than a watch, and watches that would need a new list. */
  readonly refused: number;
  readonly seconds: number;
}

/** A replica ends, and its watchers connect to the other one, whose other clients go on. */
export async function herd(context: BenchContext): Promise<readonly BenchResult[]> {
  const first = await context.serverOnEtcd('/bench-herd');
  const second = await context.serverOnEtcd('/bench-herd');
  const revision = await currentRevision(first, '/api/v1/configmaps');
  await using program = new ForkedProgram(join(import.meta.dirname, '..', '..', 'lib', 'herd-program.ts'), [
    JSON.stringify({
      targets: [first, second].map(targetOf),
      count: WATCHERS,
      path: `/api/v1/configmaps?watch=1&resourceVersion=${revision}&timeoutSeconds=3600`,
    } satisfies HerdOptions),
  ]);
  await program.ask('open');
  const ended = new AbortController();
  const next = () => withoutBody('/api/v1/namespaces/default');
  const load = { next, intervalMs: INTERVAL_MS, connections: CONNECTIONS };
  const gets = latenciesOf(second, load, ended.signal);
  process.kill(first.pid, 'SIGKILL');
  const { refused, seconds } = (await program.ask('moved')) as Moved;
  ended.abort();
  const latencies = await gets;
  const cpuMs = percentile(
    latencies.map(({ serverCpuMs }) => serverCpuMs),
    99,
  );
  const how = `${WATCHERS} watchers move from a replica that ends to another one`;
  return [
    {
      what: `GET of others at the 99th percentile while ${how}`,
      unit: 'ms',
      value: percentile(
        latencies.map(({ ms }) => ms),
        99,
      ),
      target: LIMIT_MS,
      note: `${latencies.length} GETs in the ${seconds.toFixed(1)} s until all watch again; CPU of the server during one ${cpuMs.toFixed(1)} ms`,
    },
    { what: `refused requests and lists while ${how}`, unit: '', value: refused, target: 0 },
  ];
}

const targetOf = ({ target: { host, port, cert, key } }: Subject): HerdOptions['targets'][number] => ({
  host,
  port,
  cert: String(cert ?? ''),
  key: String(key ?? ''),
});
