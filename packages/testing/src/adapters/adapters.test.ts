import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { builtinResources, createClient } from '@orch/client';
import type { ControlPlane } from '../options.ts';
import { useControlPlane } from './jest.ts';
import { controlPlaneTests } from './node-test.ts';
import type { SuitePlane } from './suite-plane.ts';
import { controlPlaneFixtures } from './vitest.ts';

/** Fails in a control plane where it was called before. */
async function createOnce(plane: ControlPlane): Promise<void> {
  const client = createClient(plane.config);
  const { configmaps } = builtinResources(client.names).core.v1;
  await client.resource(configmaps, 'default').create({ metadata: { name: 'once' } });
}

const titles = ['the first test creates an object', 'the second test does not see the object of the first'];

for (const fresh of ['fork', 'reset'] as const)
  describe(`tests of node:test with a ${fresh} each`, { timeout: 170_000 }, () => {
    const test = controlPlaneTests({ controllers: false, fresh });
    for (const title of titles) void test(title, createOnce);
  });

describe('tests with hooks of jest', { timeout: 170_000 }, () => {
  const plane = useControlPlane({ controllers: false, fresh: 'reset' }, {
    beforeAll: before,
    afterAll: after,
    beforeEach,
    afterEach,
  } as never);
  for (const title of titles) it(title, () => createOnce(plane()));

  it('a call outside of jest without hooks is refused', () => {
    assert.throws(() => useControlPlane(), { name: 'TypeError', message: /no global hooks of jest/ });
  });
});

describe('tests with fixtures of vitest', { timeout: 170_000 }, () => {
  it('the fixtures give each test a fresh control plane, and end with it', async () => {
    const { suite, plane } = controlPlaneFixtures({ controllers: false });
    const [start, { scope }] = suite;
    assert.equal(scope, 'worker');
    const urls: string[] = [];
    await start({}, async (running: SuitePlane) => {
      for (let i = 0; i < 2; i++)
        await plane({ suite: running }, async (fresh) => {
          await createOnce(fresh);
          urls.push(fresh.url);
        });
    });
    assert.equal(new Set(urls).size, 2);
  });
});
