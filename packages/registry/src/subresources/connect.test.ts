import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes, AdmissionPlugin, Refusal } from '@orch/admission';
import { type ConnectTarget, createRegistry } from '../index.ts';
import { servedParts } from '../testing/assembling.ts';
import { pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const ns = '/api/v1/namespaces/default';

/** A registry whose connections are recorded, with one plugin for connections. */
async function open(
  decide: (write: AdmissionAttributes) => Refusal | undefined,
  mutate: (write: AdmissionAttributes) => undefined = () => undefined,
) {
  const connected: string[] = [];
  const targets: ConnectTarget[] = [];
  const plugin: AdmissionPlugin = {
    name: 'Connections',
    handles: ({ operation }) => operation === 'CONNECT',
    validate: decide,
    mutate,
  };
  const f = await RegistryFixture.assembled({ plugins: [plugin] }, (parts) =>
    servedParts(
      createRegistry({
        ...parts,
        connector: {
          connect(_objects, kind, { name }, { target }) {
            connected.push(`${kind} ${name}`);
            targets.push(target);
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
  return { f, connected, targets };
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
  { path: `${ns}/pods/p/proxy/a/b%20c?path=x`, kind: 'PodProxyOptions', options: { path: 'a/b c' } },
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

  for (const [path, change, target] of [
    [
      `${ns}/pods/p/exec?command=ls&command=-l&stdin=true&x=y`,
      { command: ['id', '-u'], container: 'c', stdin: false },
      { rawQuery: 'x=y&stdin=false&container=c&command=id&command=-u', rest: '' },
    ],
    [`${ns}/pods/p/portforward?ports=80`, { ports: [81, 82] }, { rawQuery: 'ports=81&ports=82', rest: '' }],
    [`${ns}/pods/p/proxy/a?path=x`, { path: 'b/c d' }, { rawQuery: 'path=x', rest: '/b/c%20d' }],
    [`${ns}/services/s/proxy/a/b%20c?x=%20`, {}, { rawQuery: 'x=%20', rest: '/a/b%20c' }],
    [`${ns}/pods/p/attach?stdin`, {}, { rawQuery: 'stdin', rest: '' }],
  ] as const)
    it(`${path} leads to ${target.rest}?${target.rawQuery} when a plugin sets ${JSON.stringify(change)}`, async () => {
      const { f, targets } = await open(
        () => undefined,
        ({ object }) => void Object.assign(object ?? {}, change),
      );
      assert.equal((await f.post(path, undefined)).status, 200);
      assert.deepEqual(targets, [target]);
      await f[Symbol.asyncDispose]();
    });

  it('a path with dot segments that a plugin sets is refused', async () => {
    const { f, connected } = await open(
      () => undefined,
      ({ object }) => void Object.assign(object ?? {}, { path: 'a/../b' }),
    );
    assert.equal((await f.post(`${ns}/pods/p/proxy/a`, undefined)).status, 400);
    assert.deepEqual(connected, []);
    await f[Symbol.asyncDispose]();
  });

  it('reading the log of a pod is not a connection to plugins', async () => {
    const { f, connected } = await open(() => 'not here');
    assert.equal((await f.get(`${ns}/pods/p/log`)).status, 200);
    assert.deepEqual(connected, ['Pod log']);
    await f[Symbol.asyncDispose]();
  });
});
