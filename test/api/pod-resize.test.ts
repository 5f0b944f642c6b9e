import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const core = '/api/v1/namespaces/default';
const cpu = (amount: string): object => ({ requests: { cpu: amount }, limits: { cpu: '10' } });
const pod = (name: string): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources: cpu('1') }] },
});

interface Answered {
  readonly metadata: { readonly generation: number };
  readonly spec: {
    readonly containers: readonly { readonly resources: object }[];
    readonly nodeName?: string;
  };
}

describe('resizes of pods in the latest release', { timeout: 60_000 }, () => {
  let server: LaunchedServer;
  before(async () => {
    server = await launchServer({ naming: 'kubernetes', release: 'latest' });
  });
  after(() => server?.[Symbol.asyncDispose]());

  const send = async (name: string, amount: string, path = '/resize'): Promise<ApiResponse> =>
    await server.client.send('PATCH', `${core}/pods/${name}${path}`, {
      contentType: 'application/strategic-merge-patch+json',
      body: { spec: { containers: [{ name: 'c', resources: cpu(amount) }] } },
    });
  const created = async (path: string, body: object): Promise<Answered> => {
    const answer = await server.client.post(`${core}/${path}`, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json as Answered;
  };

  it('only a resize changes resources, and with them the generation', async () => {
    assert.equal((await created('pods', pod('a'))).metadata.generation, 1);
    assert.equal((await send('a', '2', '')).status, 422);
    const answer = await send('a', '2');
    assert.equal(answer.status, 200, answer.text);
    const { metadata, spec } = answer.json as Answered;
    assert.deepEqual([metadata.generation, spec.containers[0]?.resources], [2, cpu('2')]);
  });

  it('a binding leaves the generation', async () => {
    await created('pods', pod('bound'));
    const binding = { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'n' } };
    await created('pods/bound/binding', binding);
    const { metadata, spec } = (await server.client.get(`${core}/pods/bound`)).json as Answered;
    assert.deepEqual([metadata.generation, spec.nodeName], [1, 'n']);
  });

  it('a resize stays within limit ranges and quotas', async () => {
    await created('pods', pod('b'));
    await created('limitranges', {
      metadata: { name: 'most' },
      spec: { limits: [{ type: 'Container', min: { cpu: '500m' } }] },
    });
    const low = await send('b', '100m');
    assert.equal(low.status, 403, low.text);
    assert.match(low.text, /minimum cpu usage per Container/);
    await created('resourcequotas', {
      metadata: { name: 'all' },
      spec: { hard: { 'requests.cpu': '8' } },
    });
    const counted = await server.client.send('PATCH', `${core}/resourcequotas/all/status`, {
      contentType: 'application/merge-patch+json',
      body: { status: { hard: { 'requests.cpu': '8' }, used: { 'requests.cpu': '4' } } },
    });
    assert.equal(counted.status, 200, counted.text);
    const high = await send('b', '9');
    assert.equal(high.status, 403, high.text);
    assert.match(high.text, /exceeded quota: all/);
    assert.equal((await send('b', '3')).status, 200);
  });
});
