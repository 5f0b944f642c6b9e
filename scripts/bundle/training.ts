import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clients, serving } from '@orch/client/testing/certificates';

const TIMEOUT_MS = 60_000;

const pods = {
  resource: 'pods',
  responseKind: { group: '', version: 'v1', kind: 'Pod' },
  scope: 'Namespaced',
  singularResource: 'pod',
  verbs: ['get', 'list', 'watch'],
  shortNames: ['po'],
  categories: ['all'],
};

/** The answers of the server, by path. */
const answers: Readonly<Record<string, unknown>> = {
  '/api': {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    items: [{ metadata: { name: '' }, versions: [{ version: 'v1', resources: [pods] }] }],
  },
  '/apis': { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items: [] },
  '/api/v1/namespaces/default/pods': {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '1' },
    columnDefinitions: ['Name', 'Ready', 'Age'].map((name) => ({ name, type: 'string', priority: 0 })),
    rows: ['a', 'b'].map((name) => ({ cells: [name, '1/1', '5m'], object: { metadata: { name } } })),
  },
};

/** The compiled code of scripts by name, with the functions that were called. */
type Recorded = ReadonlyMap<string, Uint8Array>;

/**
 * Runs a command without a server, then one against a server of this process: the scripts of the first command, and of both.
 * `start` is the path of the start of the program.
 */
export async function recordedCommands(
  start: string,
): Promise<{ readonly first: Recorded; readonly all: Recorded }> {
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-training-'));
  const server = createServer(serving, (request, response) => {
    const answer = answers[new URL(request.url ?? '', 'https://localhost').pathname];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const config = join(folder, 'config');
    writeFileSync(config, clientConfig((server.address() as AddressInfo).port));
    const recorded = join(folder, 'recorded');
    mkdirSync(recorded);
    const run = (...argv: readonly string[]) =>
      promisify(execFile)(process.execPath, argv, {
        env: { HOME: folder, KUBECONFIG: config, RECORDED_SECTIONS: recorded },
        timeout: TIMEOUT_MS,
      });
    const recorder = join(import.meta.dirname, 'section-recorder.cjs');
    const record = async (...argv: readonly string[]): Promise<Recorded> => {
      await run('--require', recorder, start, ...argv);
      return new Map(readdirSync(recorded).map((name) => [name, readFileSync(join(recorded, name))]));
    };
    const first = await record('version', '--client');
    // Keeps what the server serves.
    await run(start, 'get', 'pods');
    return { first, all: await record('get', 'pods') };
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A configuration as the server writes it for its first administrator. */
function clientConfig(port: number): string {
  const data = (pem: string): string => Buffer.from(pem).toString('base64');
  return `apiVersion: v1
kind: Config
clusters:
- name: kubernetes
  cluster:
    server: https://127.0.0.1:${port}
    certificate-authority-data: ${data(serving.cert)}
users:
- name: admin
  user:
    client-certificate-data: ${data(clients.one.cert)}
    client-key-data: ${data(clients.one.key)}
contexts:
- name: admin@kubernetes
  context:
    cluster: kubernetes
    user: admin
current-context: admin@kubernetes
preferences: {}
`;
}
