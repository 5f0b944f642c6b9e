import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes, AdmissionPlugin, Refusal } from '@orch/admission';
import { createRegistry } from '../index.ts';
import { servedParts } from '../testing/assembling.ts';
import { pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';

/** A registry whose connections are recorded, with one plugin for connections. */
async function open(decide: (write: AdmissionAttributes) => Refusal | undefined) {
  const connected: string[] = [];
  const plugin: AdmissionPlugin = {
    name: 'Connections',
    handles: ({ operation }) => operation === 'CONNECT',
    validate: decide,
  };
  const f = await RegistryFixture.assembled({ plugins: [plugin] }, (parts) =>
    servedParts(
      createRegistry({
        ...parts,
        connector: {
          connect(_objects, kind, { name }) {
            connected.push(`${kind} ${name}`);
            return Promise.resolve({ kind: 'bytes', status: 200, headers: {}, body: Buffer.from('') });
          },
        },
      }),
    ),
  );
  await f.post(`${ns}/pods`, pod('p'));
  await f.post(`${ns}/services`, { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
  await f.post('/api/v1/nodes', { metadata: { name: 'n' } });
  await f.settled();
  return { f, connected };
}

interface Connection {
  readonly path: string;
  readonly kind: string;
  readonly options: object;
}

const connections: readonly Connection[] = [
  {
    path: `${ns}/pods/p/exec?command=ls&command=-l&stdin&tty=false&container=c`,
    kind: 'PodExecOptions',
    options: { stdin: true, tty: false, container: 'c', command: ['ls', '-l'] },
  },
  { path: `${ns}/pods/p/attach?stdout=1`, kind: 'PodAttachOptions', options: { stdout: true } },
  {
    path: `${ns}/pods/p/portforward?ports=80&ports=x`,
    kind: 'PodPortForwardOptions',
    options: { ports: [80, 'x'] },
  },
  { path: `${ns}/pods/p/proxy/a?path=b`, kind: 'PodProxyOptions', options: { path: 'b' } },
  { path: `${ns}/services/s/proxy`, kind: 'ServiceProxyOptions', options: {} },
  { path: '/api/v1/nodes/n/proxy', kind: 'NodeProxyOptions', options: {} },
];

describe('admission of connections', () => {
  for (const { path, kind, options } of connections) {
    it(`plugins decide on ${path} with its options, before the connection`, async () => {
      const seen: AdmissionAttributes[] = [];
      const { f, connected } = await open((write) => {
        seen.push(write);
        assert.deepEqual(connected, []);
        return undefined;
      });
      assert.equal((await f.post(path, undefined)).status, 200);
      assert.equal(connected.length, 1);
      const [write] = seen;
      assert.deepEqual(write?.object, { kind, apiVersion: 'v1', metadata: {}, ...options });
      assert.equal(write?.oldObject, undefined);
      assert.equal(
        path
          .split('?')[0]
          ?.split('/')
          .includes(write?.subresource ?? ''),
        true,
      );
      await f[Symbol.asyncDispose]();
    });

    it(`a refused connection to ${path} is not opened`, async () => {
      const { f, connected } = await open(() => 'not here');
      const { status, json } = await f.post(path, undefined);
      assert.equal(status, 403);
      assert.match(json.message, /is forbidden: not here$/);
      assert.deepEqual(connected, []);
      await f[Symbol.asyncDispose]();
    });
  }

  it('reading the log of a pod is no connection to plugins', async () => {
    const { f, connected } = await open(() => 'not here');
    assert.equal((await f.get(`${ns}/pods/p/log`)).status, 200);
    assert.deepEqual(connected, ['Pod log']);
    await f[Symbol.asyncDispose]();
  });
});
