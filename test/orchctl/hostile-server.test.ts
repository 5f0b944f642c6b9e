import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { runCommandLine } from '@orch/orchctl/testing';

/** Clears the screen, colors, sets the title, and reorders text. */
const evil = 'x\u001b[2J\u001b]0;y\u0007\u009b31m\u202e\u2066\u2069\r\u0008';
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds.
const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
/** Bold, red, yellow and their end, which tables have. No string of this server has them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colors of tables are control sequences.
const ownColors = /\u001b\[(?:0|1|31|33)m/g;

const metadata = {
  ...{ name: 'one', namespace: 'default', uid: evil, resourceVersion: '1' },
  ...{ labels: { [evil]: evil }, annotations: { [evil]: evil }, creationTimestamp: evil },
};
const object = {
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [evil]: evil } },
  ...{ type: evil, reason: evil, message: evil, status: { phase: evil, message: evil } },
  involvedObject: { kind: evil, name: evil },
};
const status = (code: number): object => ({
  ...{ apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure' },
  ...{ message: evil, reason: evil, code },
  details: { name: evil, kind: evil, causes: [{ reason: evil, message: evil, field: evil }] },
});
const resource = (name: string, kind: string): object => ({
  ...{ name, singularName: '', namespaced: true, kind, verbs: ['get', 'list', 'delete', evil] },
  ...{ shortNames: [evil], categories: [evil] },
});
const table = {
  ...{ apiVersion: 'meta.k8s.io/v1', kind: 'Table', metadata: { resourceVersion: '1' } },
  columnDefinitions: ['Name', evil].map((name) => ({ name, type: 'string', format: '', priority: 0 })),
  rows: [{ cells: [evil, evil], object }],
};
const fixed: Readonly<Record<string, object>> = {
  '/version': { major: '1', minor: '24', gitVersion: evil },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', groups: [] },
  '/api/v1': {
    ...{ kind: 'APIResourceList', groupVersion: 'v1' },
    resources: [resource('configmaps', 'ConfigMap'), resource('events', 'Event'), resource('pods', 'Pod')],
  },
};

function answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(url, 'http://localhost');
  const found = fixed[pathname] ?? contentOf(pathname, headers.accept ?? '');
  const refused = method !== 'GET' || pathname.endsWith('/refused');
  response.writeHead(refused ? 403 : 200, {
    'content-type': 'application/json',
    warning: '299 - "a\u009b2J"',
  });
  response.end(JSON.stringify(refused ? status(403) : found));
}

function contentOf(path: string, accept: string): object {
  if (accept.includes('as=Table')) return table;
  if (!path.startsWith('/api/v1/')) return { [evil]: evil };
  return path.endsWith('/one') ? object : { apiVersion: 'v1', kind: 'List', metadata: {}, items: [object] };
}

/** Command lines, each with what must be on standard output or error, so that the text is seen to be printed. */
const lines: readonly string[] = [
  ...['get configmaps', 'get configmap one', 'get configmaps --show-labels', 'get configmap refused'],
  ...[
    'json',
    'yaml',
    'name',
    'wide',
    'jsonpath={.items[*].data}',
    'custom-columns=A:.data,B:.status.phase',
  ].map((format) => `get configmaps -o ${format}`),
  ...['get --raw=/other', 'get configmaps --color=always', 'describe configmap one', 'events'],
  ...['version', 'version -o json', 'version -o yaml', 'api-resources', 'api-resources -o wide'],
  ...['api-versions', 'cluster-info', 'explain configmaps', 'delete configmap one', 'auth can-i get pods'],
  ...['label configmap one a=b', 'create configmap one', 'why refused -- delete configmap one'],
  ...['history configmap one', 'wait --for=delete configmap/one --timeout=1ms', 'auth whoami'],
  ...['get nothing', '__complete -- get configmaps ', 'logs refused', 'top pod', 'diff -f -'],
];

describe('a server whose every string has terminal sequences', () => {
  let server: Server;
  before(async () => {
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const line of lines)
    it(`"${line}" prints nothing that changes a terminal`, async () => {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const input = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } });
      const argv = line.startsWith('__complete')
        ? ['__complete', '--', `--server=${address}`, 'get', 'configmaps', '']
        : [...line.split(' ').slice(0, 1), `--server=${address}`, ...line.split(' ').slice(1)];
      const { out, err } = await runCommandLine(argv, { columns: 100, input });
      assert.notEqual(out + err, '');
      assert.doesNotMatch(out.replaceAll(ownColors, ''), harmful);
      assert.doesNotMatch(err, harmful);
    });

  it('the text itself is shown', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { out, err } = await runCommandLine(['get', `--server=${address}`, 'configmaps'], { columns: 200 });
    assert.match(out, /X\^\[\[2J|x\^\[\[2J/i);
    assert.match(err, /^Warning: a\\u009b2J$/m);
  });

  it('a request that the client refuses to send is not labelled as an error from the server', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, err } = await runCommandLine(['get', `--server=${address}`, 'configmap', '..']);
    assert.equal(status, 1);
    assert.match(err, /^error: .*"\.\." cannot be part of a path$/m);
    assert.doesNotMatch(err, /Error from server/);
  });
});
