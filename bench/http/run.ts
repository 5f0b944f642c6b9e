import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';

/**
 * CPU per request of the HTTP layer, relative to a bare node:https server that sends the same bytes, in one run.
 * Prints a table: `scripts/node bench/http/run.ts [seconds]`.
 */
const seconds = Number(process.argv[2] ?? 3);

interface Load {
  readonly name: string;
  readonly kind: 'bare' | 'orch';
  readonly bytes: number;
  readonly connections: number;
  readonly protocol?: 'h2';
}

const loads: readonly Load[] = (['bare', 'orch'] as const).flatMap((kind) => [
  { name: 'GET 4.6 KB', kind, bytes: 4600, connections: 32 },
  { name: 'GET 100 B', kind, bytes: 100, connections: 32 },
  { name: 'GET 4.6 KB h2', kind, bytes: 4600, connections: 4, protocol: 'h2' },
  { name: 'LIST 46 MB', kind, bytes: 46_000_000, connections: 1 },
]);

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return usage.user + usage.system;
}

const request =
  'GET /api/v1/namespaces/default/pods/pod-1 HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nUser-Agent: bench\r\nAuthorization: Bearer 0123456789abcdef\r\n\r\n';

/** Sends the next request after each complete response, until stopped; counts responses. */
function sendRepeatedly(socket: TLSSocket, count: () => void): void {
  let left = 0;
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk.length;
    if (left === 0) {
      const end = chunk.indexOf('\r\n\r\n') + 4;
      left = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', 0, end))?.[1]);
      rest -= end;
    }
    left -= rest;
    if (left === 0) {
      count();
      socket.write(request);
    }
  });
  socket.write(request);
}

/** Sends requests over `connections` connections; returns a function that closes them. */
async function loadHttp1(port: number, connections: number, count: () => void): Promise<() => void> {
  const sockets = Array.from({ length: connections }, () =>
    connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'secureConnect')));
  for (const socket of sockets) sendRepeatedly(socket, count);
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** As `loadHttp1`, with 8 concurrent requests on each connection. */
async function loadHttp2(port: number, connections: number, count: () => void): Promise<() => void> {
  const sessions = Array.from({ length: connections }, () =>
    connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }),
  );
  const send = (session: ClientHttp2Session): void => {
    if (session.destroyed) return;
    const stream = session.request({
      ':path': '/api/v1/namespaces/default/pods/pod-1',
      authorization: 'Bearer x',
    });
    stream.on('error', () => undefined);
    stream.on('close', () => {
      count();
      send(session);
    });
    stream.resume();
  };
  for (const session of sessions) {
    session.on('error', () => undefined);
    for (let stream = 0; stream < 8; stream++) send(session);
  }
  return () => {
    for (const session of sessions) session.destroy();
  };
}

async function measure(load: Load): Promise<{ cpuUs: number; perSecond: number }> {
  const child = fork(join(import.meta.dirname, 'server.ts'), [
    load.kind,
    String(load.bytes),
    load.protocol ?? 'h1',
  ]);
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    let answers = 0;
    const close = await (load.protocol === 'h2' ? loadHttp2 : loadHttp1)(
      port,
      load.connections,
      () => answers++,
    );
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await pause(1000);
    const before = { cpu: await cpuOf(child), answers, at: performance.now() };
    await pause(seconds * 1000);
    const after = { cpu: await cpuOf(child), answers, at: performance.now() };
    close();
    const done = after.answers - before.answers;
    return { cpuUs: (after.cpu - before.cpu) / done, perSecond: (done * 1000) / (after.at - before.at) };
  } finally {
    child.kill();
  }
}

const results = new Map<string, { cpuUs: number; perSecond: number }>();
for (const load of loads) results.set(`${load.kind} ${load.name}`, await measure(load));
for (const { name } of loads.slice(0, loads.length / 2)) {
  const [bare, orch] = [results.get(`bare ${name}`), results.get(`orch ${name}`)];
  if (bare === undefined || orch === undefined) continue;
  console.log(
    `${name.padEnd(14)} bare ${bare.cpuUs.toFixed(1).padStart(9)} µs ${bare.perSecond.toFixed(0).padStart(7)}/s   orch ${orch.cpuUs.toFixed(1).padStart(9)} µs ${orch.perSecond.toFixed(0).padStart(7)}/s   ${(orch.cpuUs / bare.cpuUs).toFixed(2)}×`,
  );
}
