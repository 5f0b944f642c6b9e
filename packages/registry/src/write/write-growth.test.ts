import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AdmissionAttributes, AdmissionPlugin } from '@orch/admission';
import { testEnv } from '@orch/machinery/testing';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const KEYS = 5000;
/** Steps between two pieces at most. */
const STEPS_OF_A_PIECE = 64;
/** The pieces of twice as many keys: one more round of merging when keys are sorted, and parts that do not grow. */
const MAX_GROWTH = 2.3;

const maps = '/api/v1/namespaces/default/configmaps';

/** Keys in another order than that of their names. */
const data = (keys: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key-${(i * 7919) % keys}`, `${value} ${i}`]));

const applyOf = (keys: number): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...configMap('one', data(keys, 'applied')),
});

const writes: Readonly<
  Record<string, (api: RegistryFixture, keys: number) => Promise<{ readonly status: number }>>
> = {
  'a merge patch of all keys': (api, keys) =>
    api.send('PATCH', `${maps}/one`, {
      body: { data: data(keys, 'patched') },
      contentType: 'application/merge-patch+json',
    }),
  'a deletion': (api) => api.send('DELETE', `${maps}/one`, {}),
  'a merge patch of one key': (api) =>
    api.send('PATCH', `${maps}/one`, {
      body: { data: { another: 'key' } },
      contentType: 'application/merge-patch+json',
    }),
  'an apply of all keys': (api, keys) =>
    api.send('PATCH', `${maps}/one?fieldManager=other&force=true`, {
      body: applyOf(keys),
      contentType: 'application/apply-patch+yaml',
    }),
};

/** The pieces in which a write of an object with so many keys is done: time is read after each of them. */
async function piecesOf(write: (typeof writes)[string], keys: number): Promise<number> {
  const { env, pieces } = countingPieces();
  await using api = await RegistryFixture.open({ env });
  assert.equal((await api.post(maps, configMap('one', data(keys, 'created')))).status, 201);
  const before = pieces();
  assert.equal((await write(api, keys)).status, 200);
  return pieces() - before;
}

function countingPieces() {
  const env = testEnv({ seed: 1 });
  const { clock } = env;
  const now = clock.monotonic.bind(clock);
  let pieces = 0;
  clock.monotonic = () => {
    pieces += 1;
    return now();
  };
  return { env, pieces: () => pieces };
}

/** Sets a label on every object. */
const labeler: AdmissionPlugin = {
  name: 'Labeler',
  handles: ({ resource }) => resource !== 'namespaces',
  mutate({ object }: AdmissionAttributes): undefined {
    if (object !== undefined) object.metadata.labels = { admitted: 'yes' };
  },
};

interface Creation {
  readonly metadata: object;
  readonly plugins?: readonly AdmissionPlugin[];
}

/** The pieces in which the creation of an object with many keys is done. */
async function piecesOfCreation({ metadata, plugins = [] }: Creation): Promise<number> {
  const { env, pieces } = countingPieces();
  await using api = await RegistryFixture.open({ env, plugins });
  const before = pieces();
  const { status } = await api.post(maps, { ...configMap('one', data(KEYS, 'created')), metadata });
  assert.equal(status, 201);
  return pieces() - before;
}

describe('the growth of writes', () => {
  for (const [what, write] of Object.entries(writes)) {
    it(`a write of twice as many keys takes about twice as many pieces: ${what}`, async () => {
      const once = await piecesOf(write, KEYS);
      const twice = await piecesOf(write, 2 * KEYS);
      assert.ok(once >= KEYS / STEPS_OF_A_PIECE, `${once} pieces`);
      assert.ok(twice <= MAX_GROWTH * once, `${once} and ${twice} pieces`);
    });
  }

  const furtherSteps: Readonly<Record<string, Creation>> = {
    'is decoded again because a plugin changed it': { metadata: { name: 'one' }, plugins: [labeler] },
    'is copied because it gets a generated name': { metadata: { generateName: 'one-' } },
  };
  for (const [what, creation] of Object.entries(furtherSteps)) {
    it(`a large object that ${what} takes more pieces for that step`, async () => {
      const plain = await piecesOfCreation({ metadata: { name: 'one' } });
      const further = await piecesOfCreation(creation);
      assert.ok(further - plain >= KEYS / STEPS_OF_A_PIECE, `${plain} and ${further} pieces`);
    });
  }
});
