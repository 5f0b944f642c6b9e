import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { namesFor } from '@orch/machinery';
import { findKubectls, run } from '@orch/testkit';
import type { BenchContext, Subject } from '../../lib/context.ts';
import type { BenchResult } from '../../lib/measure.ts';
import { addressOfPods, extension, register } from './extension.ts';

const TARGET_MS = 200;
const READS = 20;
const names = namesFor('kubernetes');
const aggregatedForm = `application/json;g=${names.group('apidiscovery')};v=v2;as=APIGroupDiscoveryList`;

/** Times of reading `/apis` while an extension API server accepts connections and does not answer. */
export async function discoveryWithDeadServer(context: BenchContext): Promise<readonly BenchResult[]> {
  const subject = await context.serverEmbedded();
  await extension(context, subject, { name: 'alive', protocol: 'h2' });
  await using dead = await silentServer();
  await register(subject, 'dead', dead.port);
  // The first check is in progress meanwhile, and fails later.
  const plain = await slowest(subject, 'application/json');
  const aggregated = await slowest(subject, aggregatedForm);
  const kubectl = await kubectlNote(subject);
  return [resultOf('plain', plain, kubectl), resultOf('aggregated', aggregated, '')];
}

const resultOf = (form: string, value: number, note: string): BenchResult => ({
  what: `discovery with a dead extension API server, ${form} form: the slowest of ${READS}`,
  unit: 'ms',
  value,
  target: TARGET_MS,
  ...(note === '' ? {} : { note }),
});

async function slowest({ server: { client } }: Subject, accept: string): Promise<number> {
  let most = 0;
  for (let left = READS; left > 0; left -= 1) {
    const started = performance.now();
    const { status, text } = await client.get('/apis', { headers: { accept } });
    most = Math.max(most, performance.now() - started);
    if (status !== 200 || !text.includes('dead.example.com')) throw new Error(`/apis: ${status} ${text}`);
  }
  return most;
}

/** The time of `kubectl api-resources`, most of which kubectl spends itself. */
async function kubectlNote({ server }: Subject): Promise<string> {
  const kubectl = (await findKubectls(join(import.meta.dirname, '../../..'))).at(-1);
  if (kubectl === undefined) return '';
  const started = performance.now();
  const env = { KUBECONFIG: server.adminConfig };
  const { stdout, stderr } = await run(kubectl.path, ['api-resources', '--cached=false'], { env });
  const ms = performance.now() - started;
  if (!/^things /m.test(stdout) || !/^deployments /m.test(stdout)) throw new Error(stderr);
  return `kubectl ${kubectl.release} api-resources: ${ms.toFixed(0)} ms`;
}

/** It accepts connections, and never answers. */
async function silentServer(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((socket) => void socket.on('error', () => undefined));
  server.listen(0, addressOfPods());
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
