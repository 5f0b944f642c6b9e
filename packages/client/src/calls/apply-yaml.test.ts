import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import type { Client } from '../client.ts';
import { isConflict, isRefusedRequest } from '../errors/guards.ts';
import { type Served, served } from '../rest/testing/served.ts';
import { applyObjects } from './apply-objects.ts';
import { applyYaml } from './apply-yaml.ts';
import { yamlObjects } from './yaml-objects.ts';

const text = `# settings
apiVersion: v1
kind: ConfigMap
metadata: { name: a }
data: { mode: "0644" }
---
---
# cluster-wide
apiVersion: v1
kind: Node
metadata:
  name: node-1
---
{"kind": "List", "apiVersion": "v1", "items": [
  {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "b", "namespace": "other"}}]}
`;
const resource = (kind: string, name: string, namespaced: boolean): object => ({
  ...{ name, singularName: '', kind, namespaced, verbs: ['patch'] },
});

/** A server with config maps and nodes; an object named `conflict` is refused. */
const server = (): Promise<Served> =>
  served(({ method, target, body }) => {
    if (method === 'PATCH') {
      if (!target.includes('/conflict?')) return { body: JSON.parse(body) };
      return { status: 409, body: { kind: 'Status', code: 409, reason: 'Conflict', message: 'taken' } };
    }
    if (target !== '/api/v1')
      return { body: target === '/api' ? { versions: ['v1'] } : { kind: 'APIGroupList', groups: [] } };
    const resources = [resource('ConfigMap', 'configmaps', true), resource('Node', 'nodes', false)];
    return { body: { kind: 'APIResourceList', groupVersion: 'v1', resources } };
  });

const options = { fieldManager: 'me', force: true, namespace: 'mine' };
const patches = ({ seen }: Served): readonly string[] =>
  seen.filter(({ method }) => method === 'PATCH').map(({ target }) => target);
const namesOf = (objects: readonly ApiObject[]): readonly unknown[] =>
  objects.map(({ metadata }) => metadata.name);

async function failureOf(client: Client, yaml: string): Promise<Error> {
  const outcome: unknown = await applyYaml(client, yaml, options).catch((error: unknown) => error);
  return outcome instanceof Error ? outcome : assert.fail('it was applied');
}

describe('applying a YAML text', () => {
  it('the documents of a text are applied in order, in their namespaces', async () => {
    await using running = await server();
    const applied = await applyYaml(running.client, text, options);
    assert.deepEqual(namesOf(applied), ['a', 'node-1', 'b']);
    assert.deepEqual(applied[0]?.['data'], { mode: '0644' });
    const query = '?fieldManager=me&force=true';
    assert.deepEqual(patches(running), [
      `/api/v1/namespaces/mine/configmaps/a${query}`,
      `/api/v1/nodes/node-1${query}`,
      `/api/v1/namespaces/other/configmaps/b${query}`,
    ]);
  });

  it('the objects of a text can be read without a server', async () => {
    assert.deepEqual(namesOf(await yamlObjects(text)), ['a', 'node-1', 'b']);
    await assert.rejects(yamlObjects('kind: A\n'), isRefusedRequest);
  });

  it('a refusal of the server keeps its reason and names the document', async () => {
    await using running = await server();
    const error = await failureOf(running.client, text.replace('name: node-1', 'name: conflict'));
    assert.equal(isConflict(error), true);
    assert.equal(error.message, 'taken (document 2 at line 9 (Node "conflict"))');
    assert.equal(patches(running).length, 2);
  });

  it('a text with an error in one document is not applied at all', async () => {
    await using running = await server();
    for (const [bad, message] of [
      ['a: [', /^document 4 at line 18: /],
      ['- 1', /^document 4 at line 17: must be an object$/],
      ['kind: A\nmetadata: { name: a }', /^document 4 at line 17: apiVersion: must be a string$/],
      ['kind: A\napiVersion: v1', /^document 4 at line 17: metadata\.name: must be a string$/],
    ] as const) {
      const error = await failureOf(running.client, `${text}---\n${bad}\n`);
      assert.match(error.message, message);
      assert.equal(isRefusedRequest(error), true);
    }
    assert.deepEqual(patches(running), []);
  });

  it('a kind that is not served is refused with its document', async () => {
    await using running = await server();
    const error = await failureOf(
      running.client,
      'kind: Star\napiVersion: example.com/v1\nmetadata: {name: a}',
    );
    assert.equal(error.message, 'document 1 at line 1 (Star "a"): Star of example.com/v1 is not served');
  });

  it('objects of any kinds are applied in order, and a failure names the number of its object', async () => {
    await using running = await server();
    const map = (name: string): object => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } });
    const node = { kind: 'Node', apiVersion: 'v1', metadata: { name: 'node-1' } };
    const list = { kind: 'List', apiVersion: 'v1', items: [map('a'), node] };
    assert.deepEqual(namesOf(await applyObjects(running.client, [list, map('b')], options)), [
      'a',
      'node-1',
      'b',
    ]);
    await assert.rejects(applyObjects(running.client, [node, map('conflict'), map('c')], options), {
      message: 'taken (object 2 (ConfigMap "conflict"))',
    });
    const before = patches(running).length;
    await assert.rejects(applyObjects(running.client, [node, { kind: 'Node', apiVersion: 'v1' }], options), {
      name: 'RefusedRequest',
      message: 'object 2: metadata.name: must be a string',
    });
    assert.equal(patches(running).length, before);
  });

  it('a text without objects applies nothing', async () => {
    await using running = await server();
    assert.deepEqual(await applyYaml(running.client, '---\n# nothing\n---\n', options), []);
    assert.equal(running.seen.length, 0);
  });
});
