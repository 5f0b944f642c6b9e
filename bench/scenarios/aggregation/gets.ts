import { besideOther, compared } from '../../lib/compared.ts';
import { type BenchContext, type Subject, withoutBody } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { continued } from '../../lib/repeat.ts';
import { type BackendProtocol, extension, thingsOf } from './extension.ts';

const TURNS = 15;
/** The compiler works in the background for thousands of requests. */
const WARM_UP_TURNS = 12;
const REQUESTS = 1000;
const CONNECTIONS = 32;
/** Maximum CPU relative to a bare proxy. */
const FACTOR = 1.3;

const protocolNames: Readonly<Record<BackendProtocol, string>> = { h1: 'HTTP/1.1', h2: 'HTTP/2' };

/** GETs of an object of an extension API server, beside a bare proxy to the same server. */
export async function proxiedGets(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  return [await proxiedGet(context, subject, 'h1'), await proxiedGet(context, subject, 'h2')];
}

async function proxiedGet(
  context: BenchContext,
  subject: Subject,
  protocol: BackendProtocol,
): Promise<BenchResult> {
  const name = `things-${protocol}`;
  const backend = await extension(context, subject, { name, protocol });
  const proxy = await context.floorProxy(protocol, backend.target);
  const request = withoutBody(`${thingsOf(name)}/one`);
  const load = { connections: CONNECTIONS, count: REQUESTS, request: () => request };
  const runs = { proxied: continued(subject, load), bare: continued(proxy, load) };
  await compared(WARM_UP_TURNS, runs);
  const { proxied, bare } = await compared(TURNS, runs);
  return besideOther(
    {
      what: `GET of an object of 4.6 KB through the proxy, over ${protocolNames[protocol]} to the extension API server`,
      unit: 'µs CPU',
      factor: FACTOR,
      note: 'floor: a bare proxy of Node over kept TLS connections, to the same server',
    },
    proxied,
    bare,
  );
}
