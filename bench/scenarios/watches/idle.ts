import { setTimeout as sleep } from 'node:timers/promises';
import { Audience, type Protocol } from '../../lib/audience.ts';
import type { BenchContext } from '../../lib/context.ts';
import { currentRevision } from '../../lib/fan-out.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { rssBytes } from '../../lib/proc.ts';
import type { RawTarget } from '../../lib/raw-client.ts';

/** A limit of 20,000 open files leaves room for a quarter of them with a connection each, and for the clients in this process. */
const SHARING = Number(process.env['WATCHES'] ?? '20000');
const SEPARATE = SHARING / 4;
/** Watches that come before, so that code and caches are not measured. */
const WARM_UP = SHARING / 10;
const IDLE_MS = 5000;
/** Maximum for a watch, beyond TLS. */
const KILOBYTES = 12;

interface Audiences {
  readonly pid: number;
  readonly target: RawTarget;
  readonly protocol: Protocol;
  readonly count: number;
}

/** Resident memory for each of some watches, in kB. */
async function kilobytes({ pid, target, protocol, count }: Audiences, path: string): Promise<number> {
  using _warm = await Audience.open(target, protocol, Array<string>(WARM_UP).fill(path));
  await sleep(IDLE_MS);
  const before = rssBytes(pid);
  using _watches = await Audience.open(target, protocol, Array<string>(count).fill(path));
  await sleep(IDLE_MS);
  return (rssBytes(pid) - before) / count / 1000;
}

/** Memory of idle watches, with a connection each beside connections of a bare TLS server, and over shared ones. */
export async function idle(context: BenchContext): Promise<readonly BenchResult[]> {
  const [subject, other] = [await context.serverEmbedded(), await context.serverEmbedded()];
  const revision = await currentRevision(subject, '/api/v1/configmaps');
  const path = `/api/v1/configmaps?watch=1&resourceVersion=${revision}&timeoutSeconds=3600`;
  const { pid, target } = await context.tlsServer();
  const bare = { ...subject.target, port: target.port };
  const tls = await kilobytes({ pid, target: bare, protocol: 'h1', count: SEPARATE }, '/');
  const sharing = await kilobytes({ ...subject, protocol: 'h2', count: SHARING }, path);
  const separate = await kilobytes({ ...other, protocol: 'h1', count: SEPARATE }, path);
  return [
    {
      what: 'memory of an idle watch, 200 to an HTTP/2 connection',
      unit: 'kB',
      value: sharing,
      target: KILOBYTES,
      note: `${SHARING} watches, with TLS`,
    },
    {
      what: 'memory of an idle watch with a connection of its own, beyond TLS',
      unit: 'kB',
      value: separate - tls,
      target: KILOBYTES,
      note: `${SEPARATE} watches; a connection of a bare TLS server takes ${tls.toFixed(1)} kB`,
    },
  ];
}
