import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { countingIterations } from '@orch/registry/testing';
import { crontab, crontabs, schemaOf, v1, withCronTabs } from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const RULES = 300;
const { validations } = namesFor('orch').schemaExtensions;

/**
 * Opens a server with a kind whose schema has many rules, on a clock by which every piece of work takes a whole turn.
 */
async function open(): Promise<CustomResourcesFixture> {
  const env = testEnv({ seed: 1 });
  const rules = Array.from({ length: RULES }, (_, i) => ({ rule: `self.cronSpec != "${i}"` }));
  const spec = { type: 'object', properties: { cronSpec: { type: 'string', maxLength: 9 } } };
  const schema = schemaOf({ spec: { ...spec, [validations]: rules } });
  const api = await withCronTabs({ env }, [{ ...v1, schema }]);
  let readings = env.clock.monotonic();
  Object.assign(env.clock, { monotonic: () => (readings += 10) });
  return api;
}

describe('a kind with a large schema', () => {
  it('the first write of a large schema lets the event loop do other work while the schema is compiled, and later ones compile nothing', async () => {
    await using api = await open();
    const first = await countingIterations(api.post(crontabs(), crontab('a')));
    assert.equal(first.result.status, 201, first.result.text);
    assert.ok(first.iterations >= RULES, `${first.iterations} iterations`);
    const second = await countingIterations(api.post(crontabs(), crontab('b', '7')));
    assert.equal(second.result.status, 422);
    assert.ok(second.iterations < RULES / 10, `${second.iterations} iterations`);
  });

  it('writes at the same time as the first one are validated too', async () => {
    await using api = await open();
    const answers = await Promise.all(
      ['1', 'x', '299', 'y'].map((cronSpec, i) => api.post(crontabs(), crontab(`c${i}`, cronSpec))),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [422, 201, 422, 201],
    );
  });

  it('reads and deletions of objects do not compile its schema', async () => {
    await using api = await open();
    for (const request of [
      api.get(crontabs()),
      api.get(crontabs('a')),
      api.send('DELETE', crontabs('a')),
      api.send('DELETE', crontabs()),
    ]) {
      const { iterations } = await countingIterations(request);
      assert.ok(iterations < RULES / 10, `${iterations} iterations`);
    }
  });
});
