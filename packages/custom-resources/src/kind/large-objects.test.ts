import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import type { Answered } from '@orch/registry/testing';
import { crontab, crontabs, type Version, withCronTabs } from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const { listType } = namesFor('orch').schemaExtensions;

const ITEMS = 5000;
/** Steps between two pieces at most. */
const STEPS_OF_A_PIECE = 64;
const MAX_GROWTH = 2.3;

const text = { type: 'string', pattern: '^[a-z0-9-]+$' };
const spec = {
  type: 'object',
  properties: { cronSpec: { type: 'string' }, set: { type: 'array', [listType]: 'set', items: text } },
};
const versions: readonly Version[] = [
  {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
  },
];

const bodyOf = (name: string, items: number, more: readonly unknown[] = []): object => ({
  ...crontab(name),
  spec: {
    cronSpec: '*',
    set: [...Array.from({ length: items }, (_, i) => `the-item-with-number-${i}`), ...more],
  },
});

interface Write {
  readonly status: number;
  send(api: CustomResourcesFixture, items: number): Promise<Answered>;
}

/** The object `one` exists. */
const writes: Readonly<Record<string, Write>> = {
  'a creation': { status: 201, send: (api, items) => api.post(crontabs(), bodyOf('other', items)) },
  'a creation that is refused': {
    status: 422,
    send: (api, items) => api.post(crontabs(), bodyOf('other', items, ['the-item-with-number-0'])),
  },
  'an update that sends managed fields': {
    status: 200,
    async send(api, items) {
      const { metadata } = (await api.get(crontabs('one'))).json;
      const [entry] = metadata.managedFields;
      const managedFields = [{ ...entry, manager: 'claimed' }];
      return api.put(crontabs('one'), { ...bodyOf('one', items), metadata: { ...metadata, managedFields } });
    },
  },
  'an update that is refused': {
    status: 422,
    async send(api, items) {
      const { metadata } = (await api.get(crontabs('one'))).json;
      return api.put(crontabs('one'), { ...bodyOf('one', items, ['not allowed']), metadata });
    },
  },
  'an apply': {
    status: 200,
    send: (api, items) =>
      api.send('PATCH', `${crontabs('one')}?fieldManager=m&force=true`, {
        body: bodyOf('one', items),
        contentType: 'application/apply-patch+yaml',
      }),
  },
};

/** The pieces in which a write of an object with so many items is done: time is read after each of them. */
async function piecesOf({ send, status }: Write, items: number): Promise<number> {
  const env = testEnv({ seed: 1 });
  const { clock } = env;
  const now = clock.monotonic.bind(clock);
  let pieces = 0;
  clock.monotonic = () => {
    pieces += 1;
    return now();
  };
  await using api = await withCronTabs({ env }, versions);
  assert.equal((await api.post(crontabs(), bodyOf('one', items))).status, 201);
  pieces = 0;
  const answer = await send(api, items);
  assert.equal(answer.status, status, answer.text.slice(0, 300));
  return pieces;
}

describe('writes of large custom objects', () => {
  for (const [what, write] of Object.entries(writes))
    it(`a write of a custom object with twice as many items takes about twice as many pieces: ${what}`, async () => {
      const once = await piecesOf(write, ITEMS);
      const twice = await piecesOf(write, 2 * ITEMS);
      // Those of reading, of the test of the items, and of the test that none is repeated.
      assert.ok(once >= (3 * ITEMS) / STEPS_OF_A_PIECE, `${once} pieces`);
      assert.ok(twice <= MAX_GROWTH * once, `${once} and ${twice} pieces`);
    });
});
