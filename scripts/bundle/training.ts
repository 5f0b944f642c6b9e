import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { namesFor } from '@orch/machinery';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';

const TIMEOUT_MS = 60_000;

const names = namesFor('kubernetes');
const discovery = names.apiVersion('apidiscovery', 'v2');

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
    apiVersion: discovery,
    items: [{ metadata: { name: '' }, versions: [{ version: 'v1', resources: [pods] }] }],
  },
  '/apis': { kind: 'APIGroupDiscoveryList', apiVersion: discovery, items: [] },
  '/api/v1/namespaces/default/pods': {
    kind: 'Table',
    apiVersion: names.apiVersion('meta', 'v1'),
    metadata: { resourceVersion: '1' },
    columnDefinitions: ['Name', 'Ready', 'Age'].map((name) => ({ name, type: 'string', priority: 0 })),
    rows: ['a', 'b'].map((name) => ({ cells: [name, '1/1', '5m'], object: { metadata: { name } } })),
  },
};

/** The compiled code of scripts by name, with the functions that were called. */
type Recorded = ReadonlyMap<string, Uint8Array>;

/**
 * Runs a command without a server (`local`), then one against a server of this process (`remote`), and returns the scripts of each.
 * `start` is the path of the start of the program.
 */
export async function recordedCommands(
  start: string,
): Promise<{ readonly local: Recorded; readonly remote: Recorded }> {
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-training-'));
  const authority = testCertificate({ commonName: 'authority', use: 'authority' });
  const server = createServer(
    testCertificate({ commonName: 'server', use: 'server' }, authority),
    (request, response) => {
      const answer = answers[new URL(request.url ?? '', 'https://localhost').pathname];
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    },
  );
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const config = join(folder, 'config');
    writeFileSync(config, clientConfig((server.address() as AddressInfo).port, authority));
    const [atFirst, later] = [join(folder, 'first'), join(folder, 'later')];
    mkdirSync(atFirst);
    mkdirSync(later);
    const run = (recorded: string, ...argv: readonly string[]) =>
      promisify(execFile)(process.execPath, argv, {
        env: { HOME: folder, KUBECONFIG: config, RECORDED: recorded, EARLIER: atFirst },
        timeout: TIMEOUT_MS,
      });
    const recorder = ['--require', join(import.meta.dirname, 'section-recorder.cjs')];
    await run(atFirst, ...recorder, start, 'version', '--client');
    // Keeps what the server serves.
    await run(later, start, 'get', 'pods');
    await run(later, ...recorder, start, 'get', 'pods');
    return { local: filesOf(atFirst), remote: filesOf(later) };
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const filesOf = (folder: string): Recorded =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));

/** A configuration as the server writes it for its first administrator. */
function clientConfig(port: number, authority: KeyPair): string {
  const client = testCertificate({ commonName: 'client', use: 'client' }, authority);
  const data = (pem: string): string => Buffer.from(pem).toString('base64');
  return `apiVersion: v1
kind: Config
clusters:
- name: kubernetes
  cluster:
    server: https://127.0.0.1:${port}
    certificate-authority-data: ${data(authority.cert)}
users:
- name: admin
  user:
    client-certificate-data: ${data(client.cert)}
    client-key-data: ${data(client.key)}
contexts:
- name: admin@kubernetes
  context:
    cluster: kubernetes
    user: admin
current-context: admin@kubernetes
preferences: {}
`;
}
