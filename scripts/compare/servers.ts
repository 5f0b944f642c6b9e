import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '@orch/machinery/testing';
import { ApiClient, launchServerProcess, start } from '@orch/testkit';

const START_MS = 120_000;
const POLL_MS = 250;
const TOKEN = 'compare-admin-token';

/** Clients of the two servers, both as the same administrator. */
export interface Pair extends AsyncDisposable {
  readonly reference: ApiClient;
  readonly server: ApiClient;
}

interface PairOptions {
  readonly release: string;
  readonly program: string;
  readonly folder: string;
  /** Further flags of both servers. */
  readonly flags?: readonly string[];
}

/** Starts the reference and this server, each over a separate etcd, and waits until both have their default objects. */
export async function startPair({ release, program, folder, flags = [] }: PairOptions): Promise<Pair> {
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, `${TOKEN},admin,admin,system:masters\n`, { mode: 0o600 });
  const common = [
    `--token-auth-file=${tokens}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--advertise-address=192.0.2.1',
    '--allow-privileged=true',
    '--service-account-issuer=https://compare.invalid',
    ...flags,
  ];
  await using started = new AsyncDisposableStack();
  const [one, other] = [
    await startEtcd(started, join(folder, 'etcd-1')),
    await startEtcd(started, join(folder, 'etcd-2')),
  ];
  const reference = await startReference(started, {
    program,
    folder,
    args: [...common, `--etcd-servers=${one}`],
  });
  const launched = started.use(
    await launchServerProcess({
      naming: 'kubernetes',
      etcd: [other],
      args: [...common, `--emulated-version=${release}`],
    }),
  );
  const credentials = { cert: undefined, key: undefined, token: TOKEN };
  const server = started.use(new ApiClient({ ...launched.config, ...credentials }));
  await Promise.all([reference, server].map(hasDefaults));
  const stack = started.move();
  return { reference, server, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function startEtcd(started: AsyncDisposableStack, folder: string): Promise<string> {
  const [clients = 0, peers = 0] = await freePorts(2);
  const [url, peerUrl] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
  const etcd = started.use(
    start('etcd', [
      `--data-dir=${folder}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      '--unsafe-no-fsync',
    ]),
  );
  await etcd.waitFor(/ready to serve client requests/, START_MS);
  return url;
}

interface ReferenceOptions {
  readonly program: string;
  readonly folder: string;
  readonly args: readonly string[];
}

async function startReference(
  started: AsyncDisposableStack,
  { program, folder, args }: ReferenceOptions,
): Promise<ApiClient> {
  const certDir = join(folder, 'reference');
  mkdirSync(certDir, { recursive: true });
  const [port = 0] = await freePorts(1);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = join(certDir, 'accounts.key');
  writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  const running = started.use(
    start(program, [
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${certDir}`,
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      '--disable-admission-plugins=ServiceAccount',
      ...args,
    ]),
  );
  await running.waitFor(/Serving securely on/, START_MS);
  return started.use(clientOf(join(certDir, 'apiserver.crt'), port));
}

function clientOf(certificate: string, port: number): ApiClient {
  const server = `https://127.0.0.1:${port}`;
  const ca = readFileSync(certificate);
  return new ApiClient({ server, ca, cert: undefined, key: undefined, token: TOKEN });
}

/** Waits until the server is ready and its own Service exists. */
async function hasDefaults(client: ApiClient): Promise<void> {
  const deadline = Date.now() + START_MS;
  const needed = [
    '/readyz',
    '/api/v1/namespaces/default/services/kubernetes',
    '/api/v1/namespaces/kube-node-lease',
  ];
  const answers = async (): Promise<readonly number[]> =>
    await Promise.all(needed.map(async (path) => (await client.get(path)).status));
  while ((await answers()).some((status) => status !== 200)) {
    if (Date.now() > deadline) throw new Error(`a server is not ready: ${await answers()} for ${needed}`);
    await delay(POLL_MS);
  }
}
