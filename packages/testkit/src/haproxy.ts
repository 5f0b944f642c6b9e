import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@orch/machinery/testing';
import { start } from './process.ts';

/** A free port of loopback, for programs that cannot pick one themselves. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

export interface Balancer extends AsyncDisposable {
  readonly url: string;
}

/** A TCP balancer over replicas, with the shape of `deploy/balancer/haproxy.cfg`: TLS ends at the replicas. */
export async function startBalancer(replicaPorts: readonly number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-haproxy-'));
  const port = await freePort();
  const config = join(folder, 'haproxy.cfg');
  writeFileSync(
    config,
    `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout client 5m
  timeout server 5m
  retries 3
  option redispatch
frontend api
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance roundrobin
  default-server check inter 200ms fall 1 rise 1
${replicaPorts.map((p, i) => `  server replica-${i + 1} 127.0.0.1:${p}`).join('\n')}
`,
  );
  const process = start('haproxy', ['-db', '-f', config]);
  const deadline = AbortSignal.timeout(10_000);
  while (!(await accepts(port))) {
    if (deadline.aborted || process.child.exitCode !== null)
      throw new Error(`haproxy did not start: ${process.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await process[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
