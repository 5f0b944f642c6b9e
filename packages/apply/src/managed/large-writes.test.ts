import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce } from '@orch/machinery/concurrency';
import { cloneJson, type MutableJsonObject } from '@orch/machinery/json';
import { deckKind } from '../testing/deck.ts';
import { applyConfig, applyingConfig } from './apply.ts';
import { type UpdateInput, updateOwnership, updatingOwnership } from './update.ts';

const COUNT = 3000;
const PARTS_OF_A_PIECE = 64;

const listOf = <T>(of: (index: number) => T): T[] => Array.from({ length: COUNT }, (_, i) => of(i));
const mapOf = (value: string): Record<string, string> =>
  Object.fromEntries(listOf((i) => [`k${(i * 7) % COUNT}`, value]));

const container = (i: number): object => ({
  name: `c${i}`,
  image: 'i',
  ...(i % 3 === 0 ? {} : { env: [{ name: 'A', value: String(i) }] }),
});

const specs: Readonly<Record<string, object>> = {
  'a map': { data: mapOf('v') },
  'a list': { containers: listOf(container) },
  'a list in an item': {
    containers: [{ name: 'a', env: listOf((i) => ({ name: `V${i}`, value: 'x' })), args: listOf(String) }],
  },
  'several fields': { data: mapOf('v'), containers: listOf(container), replicas: 1 },
};

const deckOf = (spec: object, metadata: object = {}): MutableJsonObject => ({
  kind: 'Deck',
  apiVersion: 'test/v1',
  metadata: { name: 'd', ...metadata },
  spec,
});

const written = { versions: deckKind, apiVersion: 'test/v1', manager: 'm', now: '2024-01-01T00:00:00Z' };

/** The result for an object that counts as small. */
const ownersAtOnce = (input: UpdateInput): string => JSON.stringify(atOnce(updatingOwnership(input)));

describe('ownership of large objects', () => {
  for (const [what, spec] of Object.entries(specs)) {
    const next = deckOf(spec);
    const created = updateOwnership({ ...written, live: undefined, next });

    it(`the owner of a large new object is determined in pieces as at once: ${what}`, () => {
      let pieces = 1;
      const work = updatingOwnership({ ...written, live: undefined, next, isLarge: true });
      let step = work.next();
      for (; step.done !== true; step = work.next()) pieces += 1;
      assert.equal(JSON.stringify(step.value), ownersAtOnce({ ...written, live: undefined, next }));
      assert.ok(pieces >= COUNT / PARTS_OF_A_PIECE, `${pieces} pieces`);
    });

    it(`the owners of a large object after an update are determined in pieces as at once: ${what}`, () => {
      const live = created.object;
      const changes = [
        cloneJson(live),
        deckOf({ containers: [...listOf(container)].reverse(), data: { k1: 'v' } }),
        deckOf({ containers: listOf((i) => ({ ...container(i), image: i % 2 === 0 ? 'i' : 'j' })) }),
        deckOf({ containers: [{ name: 'a', env: listOf((i) => ({ name: `V${i % 2000}`, value: 'x' })) }] }),
        deckOf({ data: mapOf('w') }),
        deckOf({}),
        deckOf({ ...spec, mode: 'Slow' }),
      ];
      for (const changed of changes) {
        const input = { ...written, manager: 'other', live, next: changed };
        const pieces = atOnce(updatingOwnership({ ...input, isLarge: true }));
        assert.equal(JSON.stringify(pieces), ownersAtOnce(input));
      }
    });

    it(`the fields of a large owner are read in pieces before a write that changes them: ${what}`, () => {
      const live = cloneJson(created.object);
      // Parts that both objects share are neither compared nor written.
      const next = { ...live, spec: { ...(live['spec'] as object), mode: 'Slow' } };
      const input = { ...written, live, next };
      let pieces = 1;
      const work = updatingOwnership({ ...input, isLarge: true });
      let step = work.next();
      for (; step.done !== true; step = work.next()) pieces += 1;
      assert.equal(JSON.stringify(step.value), ownersAtOnce(input));
      assert.ok(pieces >= COUNT / PARTS_OF_A_PIECE, `${pieces} pieces`);
    });

    it(`a large configuration is applied in pieces as at once: ${what}`, () => {
      for (const live of [undefined, created.object, deckOf({ replicas: 2 })]) {
        const input = { ...written, manager: 'applier', live, config: next, force: true };
        const pieces = atOnce(applyingConfig({ ...input, isLarge: true }));
        assert.equal(JSON.stringify(pieces), JSON.stringify(applyConfig(input)));
      }
    });

    it(`a large configuration is checked in pieces, and refused as at once: ${what}`, () => {
      const wrong = {
        unknown: mapOf('v'),
        containers: [{ nothing: 1 }, ...listOf(container), container(1), { name: { a: 1 } }, 'text'],
        data: { ...mapOf('v'), a: 1, b: listOf(String) },
      };
      for (const config of [deckOf({ ...spec, ...wrong }), deckOf({ ...wrong, containers: 'none' })]) {
        const input = { ...written, manager: 'applier', live: created.object, config, force: true };
        const result = atOnce(applyingConfig({ ...input, isLarge: true }));
        assert.equal(result.kind, 'refused');
        assert.deepEqual(result, applyConfig(input));
      }
      let pieces = 1;
      const input = { ...written, manager: 'applier', live: undefined, config: next, force: true };
      for (const work = applyingConfig({ ...input, isLarge: true }); work.next().done !== true; ) pieces += 1;
      // Those of the check, of the fields that are owned, and of writing them.
      assert.ok(pieces >= (3 * COUNT) / PARTS_OF_A_PIECE, `${pieces} pieces`);
    });

    it(`owners that a client sends with a large object are read in pieces, and own only what exists: ${what}`, () => {
      const live = created.object;
      const [own] = created.managedFields;
      const fieldsV1 = cloneJson(own?.['fieldsV1']) as { 'f:spec': Record<string, unknown> };
      fieldsV1['f:spec']['f:data'] = { ...(fieldsV1['f:spec']['f:data'] ?? {}), 'f:none': {} };
      const sent = [{ ...own, manager: 'claimed', fieldsV1 }];
      const next = deckOf(spec, { managedFields: sent });
      let pieces = 1;
      const work = updatingOwnership({ ...written, live, next, isLarge: true });
      let step = work.next();
      for (; step.done !== true; step = work.next()) pieces += 1;
      assert.deepEqual(step.value.ignored, []);
      assert.deepEqual(JSON.parse(JSON.stringify(step.value.managedFields)), [
        { ...own, manager: 'claimed' },
      ]);
      // Reading them, and finding what exists in the object before and after the write.
      assert.ok(pieces >= (3 * COUNT) / PARTS_OF_A_PIECE, `${pieces} pieces`);
    });
  }
});
