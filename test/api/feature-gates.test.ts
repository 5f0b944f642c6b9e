import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiResponse, type LaunchedServer, launchServer } from '@orch/testkit';

const maps = '/api/v1/namespaces/default/configmaps';
const gzip = { headers: { 'Accept-Encoding': 'gzip' } };
const map = (name: string, data: object = {}) => ({ body: { metadata: { name }, data } });
const itemsOf = (answer: ApiResponse): readonly unknown[] => (answer.json as { items: unknown[] }).items;
const metadataOf = (answer: ApiResponse) =>
  (answer.json as { metadata: { continue?: string; remainingItemCount?: number } }).metadata;

/** The visible effect of each gate of the server's behaviour. */
const rows: readonly (readonly [gate: string, probe: (server: LaunchedServer) => Promise<boolean>])[] = [
  [
    'APIListChunking',
    async ({ client }) => {
      const page = await client.send('GET', `${maps}?limit=1`);
      const all = itemsOf(await client.send('GET', maps)).length;
      const { continue: token = 'none' } = metadataOf(page);
      const next = await client.send('GET', `${maps}?limit=1&continue=${token}`);
      assert.equal(next.status, 200);
      assert.deepEqual(
        [itemsOf(page).length, itemsOf(next).length],
        token === 'none' ? [all, all] : [1, 1],
        'a limit and a token count, or neither of them does',
      );
      return token !== 'none';
    },
  ],
  [
    'RemainingItemCount',
    async ({ client }) =>
      metadataOf(await client.send('GET', `${maps}?limit=1`)).remainingItemCount !== undefined,
  ],
  [
    'APIPriorityAndFairness',
    async ({ client }) => {
      const { headers } = await client.send('GET', maps);
      return headers['x-orch-pf-flowschema-uid'] !== undefined;
    },
  ],
  [
    'APIResponseCompression',
    async ({ client }) => (await client.send('GET', maps, gzip)).headers['content-encoding'] === 'gzip',
  ],
  [
    'OpenAPIEnums',
    async ({ client }) =>
      (await client.send('GET', '/openapi/v2')).text.includes('"enum":["Recreate","RollingUpdate"]'),
  ],
  [
    'ServerSideFieldValidation',
    async ({ client }) => {
      const body = { metadata: { name: 'strict' }, colour: 'red' };
      const { status } = await client.send('POST', `${maps}?dryRun=All&fieldValidation=Strict`, { body });
      return status === 400;
    },
  ],
];

describe('feature gates of server features', () => {
  for (const value of [true, false]) {
    describe(`feature gates set to ${value} in release 1.26`, () => {
      let server: LaunchedServer;
      before(async () => {
        const gates = rows.map(([gate]) => `${gate}=${value}`);
        server = await launchServer({
          args: ['--emulated-version=1.26', `--feature-gates=${gates.join()}`],
        });
        for (const name of ['a', 'b', 'c']) await server.client.send('POST', maps, map(name));
        await server.client.send('POST', maps, map('large', { k: 'x'.repeat(200_000) }));
      });
      after(() => server[Symbol.asyncDispose]());

      for (const [gate, probe] of rows) {
        it(`the feature of the gate ${gate} is ${value ? 'on' : 'off'} when it is set to ${value}`, async () =>
          assert.equal(await probe(server), value));
      }
    });
  }

  it('a closed gate RemainingItemCount removes the remaining item count from pages', async () => {
    await using server = await launchServer({
      args: [
        '--emulated-version=1.24',
        '--feature-gates=RemainingItemCount=false,ServerSideFieldValidation=true',
      ],
    });
    for (const name of ['a', 'b']) await server.client.send('POST', maps, map(name));
    const { continue: token, remainingItemCount } = metadataOf(
      await server.client.send('GET', `${maps}?limit=1`),
    );
    assert.deepEqual([typeof token, remainingItemCount], ['string', undefined]);
    const strict = rows.find(([gate]) => gate === 'ServerSideFieldValidation')?.[1];
    assert.equal(await strict?.(server), true, 'an alpha gate opens what later releases have');
  });

  it('feature gates that are off by default in an older emulated release are off', async () => {
    await using server = await launchServer({ args: ['--emulated-version=1.15'] });
    await server.client.send('POST', maps, map('large', { k: 'x'.repeat(200_000) }));
    await server.client.send('POST', maps, map('small'));
    const seen = await Promise.all(rows.map(async ([gate, probe]) => [gate, await probe(server)] as const));
    assert.deepEqual(
      seen.filter(([, isOn]) => isOn).map(([gate]) => gate),
      ['APIListChunking'],
    );
  });

  it('feature gates without effect are named in one warning, and the server starts', async () => {
    await using server = await launchServer({
      args: ['--feature-gates=WinDSR=true,CPUManager=false'],
    });
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('without effect'));
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', /"level":"warn".*WinDSR, CPUManager/);
  });

  it('a closed feature gate removes fields that the release has by default', async () => {
    await using server = await launchServer({ args: ['--feature-gates=NetworkPolicyEndPort=false'] });
    const spec = { podSelector: {}, ingress: [{ ports: [{ port: 80, endPort: 90 }] }] };
    const { status, json } = await server.client.send(
      'POST',
      '/apis/networking.orch.io/v1/namespaces/default/networkpolicies',
      { body: { metadata: { name: 'a' }, spec } },
    );
    assert.equal(status, 201);
    const [rule] = (json as { spec: { ingress: { ports: object[] }[] } }).spec.ingress;
    assert.deepEqual(rule?.ports, [{ protocol: 'TCP', port: 80 }]);
  });
});
