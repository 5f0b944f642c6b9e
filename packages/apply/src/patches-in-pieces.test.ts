import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { f, items, struct } from '@orch/schema';
import {
  applyJsonPatch,
  applyJsonPatchInPieces,
  applyMergePatch,
  applyMergePatchInPieces,
  PatchError,
  StrategicMerge,
} from './index.ts';
import { patchCases } from './testing/random-patches.ts';

const COUNT = 2000;
const STEPS_OF_A_PIECE = 64;
/** Twice as many parts take about twice as many pieces. */
const MAX_GROWTH = 2.1;
/** A sort of twice as many items has one more round of merging. */
const MAX_GROWTH_OF_SORTED = 2.5;

const keyed = (count: number, value: string): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, `${value} ${i}`]));
const itemsOf = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ name: `n${i}`, value: String(i) }));
const documentOf = (count: number): object => ({ data: keyed(count, 'old'), list: itemsOf(count) });

interface Pieces<T> {
  readonly pieces: number;
  readonly result: T;
}

function inPieces<T>(work: Work<T>): Pieces<T> {
  let pieces = 1;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pieces += 1;
  return { pieces, result: step.value };
}

/** JSON patches of `documentOf(count)`. */
const jsonPatches: Readonly<Record<string, (count: number) => readonly object[]>> = {
  'a key more': () => [{ op: 'add', path: '/data/another', value: 'key' }],
  'a new value with many keys': (count) => [{ op: 'replace', path: '/data', value: keyed(count, 'new') }],
  'a test of many keys': (count) => [{ op: 'test', path: '/data', value: keyed(count, 'old') }],
  'a test of many items': (count) => [{ op: 'test', path: '/list', value: itemsOf(count) }],
  'a copy of many keys': () => [{ op: 'copy', from: '/data', path: '/more' }],
  'a copy of many items': () => [{ op: 'copy', from: '/list', path: '/data/list' }],
  'a move of many keys': () => [{ op: 'move', from: '/data', path: '/more' }],
  'the removal of an item': () => [{ op: 'remove', path: '/list/7' }],
  'many operations': (count) =>
    Array.from({ length: count }, (_, i) => ({ op: 'replace', path: `/data/key-${i}`, value: i })),
};

describe('JSON patches in pieces', () => {
  for (const [what, patchOf] of Object.entries(jsonPatches))
    it(`a JSON patch of a large document is applied in pieces, which grow in proportion: ${what}`, () => {
      const document = documentOf(COUNT);
      const before = JSON.stringify(document);
      const once = inPieces(applyJsonPatchInPieces(document, patchOf(COUNT)));
      const twice = inPieces(applyJsonPatchInPieces(documentOf(2 * COUNT), patchOf(2 * COUNT)));
      assert.deepEqual(once.result, applyJsonPatch(document, patchOf(COUNT)));
      assert.equal(JSON.stringify(document), before, 'the document is left as it was');
      assert.ok(once.pieces >= COUNT / STEPS_OF_A_PIECE, `${once.pieces} pieces`);
      assert.ok(twice.pieces <= MAX_GROWTH * once.pieces, `${once.pieces} and ${twice.pieces} pieces`);
    });

  for (const [what, value] of [
    ['another value', { ...keyed(COUNT, 'old'), 'key-7': 'x' }],
    ['another name', { ...keyed(COUNT - 1, 'old'), other: 'x' }],
    ['one name less', keyed(COUNT - 1, 'old')],
    ['a list', itemsOf(COUNT)],
    ['a scalar', 'x'],
  ] as const)
    it(`a test of many keys in pieces fails for ${what}`, () => {
      const patch = [{ op: 'test', path: '/data', value }];
      assert.throws(
        () => inPieces(applyJsonPatchInPieces(documentOf(COUNT), patch)),
        (error) => error instanceof PatchError && error.code === 'testFailed',
      );
    });

  it('each JSON patch has the same result in pieces as at once', () => {
    const outcome = (apply: () => unknown): unknown => {
      try {
        return { is: apply() };
      } catch (error) {
        if (error instanceof PatchError) return { code: error.code, message: error.message };
        throw error;
      }
    };
    for (const { document, patch } of patchCases(17, 500)) {
      // Beside parts for which the document is divided.
      const [large, operations] = [{ d: document, ...documentOf(600) }, patch.map(below)];
      assert.deepEqual(
        outcome(() => inPieces(applyJsonPatchInPieces(large, operations)).result),
        outcome(() => applyJsonPatch(large, operations)),
        JSON.stringify({ document, patch }),
      );
    }
  });

  it('a JSON patch in pieces refuses copies that are too large or too deep, and results that are', () => {
    const limits = { maxOperations: 10, maxCopiedBytes: 10_000, maxMovedItems: 1e6, maxDepth: 4 };
    const apply = (patch: readonly object[], document: object = documentOf(COUNT)) =>
      inPieces(applyJsonPatchInPieces(document, patch, limits));
    const copy = { op: 'copy', from: '/list', path: '/more' };
    const deep = { ...keyed(COUNT, 'x'), deep: { a: { b: { c: {} } } } };
    const refused = (code: string, work: () => unknown) =>
      assert.throws(work, (error) => error instanceof PatchError && error.code === code);
    refused('tooLarge', () => apply([copy]));
    refused('tooLarge', () => apply([{ op: 'copy', from: '/data', path: '/more' }], { data: deep }));
    refused('failed', () => apply([{ op: 'add', path: '/more', value: deep }]));
    refused('testFailed', () =>
      apply([{ op: 'test', path: '/data', value: deep }], { data: structuredClone(deep) }),
    );
    assert.deepEqual(
      apply([{ op: 'test', path: '/data', value: keyed(COUNT, 'old') }]).result,
      documentOf(COUNT),
    );
  });
});

const item = struct('test.Item', 'An item.', { name: f.string(1), value: f.string(2) });
const merged = { patchStrategy: 'merge', patchMergeKey: 'name' } as const;
const kind = struct('test.Kind', 'A kind.', {
  data: f.map(1, items.string),
  list: f.list(2, item, merged),
  texts: f.list(3, items.string, { patchStrategy: 'merge' }),
});
const textsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `t${i}`);
const namedOf = (count: number): object[] => Array.from({ length: count }, (_, i) => ({ name: `n${i}` }));

/** Patches of a document with many keys, items and texts that are merged. */
const mergePatches: Readonly<Record<string, (count: number) => object>> = {
  'a key more': () => ({ data: { another: 'key' } }),
  'all keys': (count) => ({ data: keyed(count, 'new') }),
  'the removal of all keys': (count) => ({
    data: Object.fromEntries(Object.keys(keyed(count, '')).map((key) => [key, null])),
  }),
};
const strategicPatches: typeof mergePatches = {
  ...mergePatches,
  'new content': (count) => ({ data: { $patch: 'replace', ...keyed(count, 'new') } }),
  'all items in reverse': (count) => ({ list: itemsOf(count).reverse() }),
  'new items': (count) => ({ list: itemsOf(count).map((each, i) => ({ ...each, name: `new${i}` })) }),
  'an item more': () => ({ list: [{ name: 'another' }] }),
  'the removal of all items': (count) => ({
    list: namedOf(count).map((each) => ({ ...each, $patch: 'delete' })),
  }),
  'another list of items': (count) => ({ list: [{ $patch: 'replace' }, ...itemsOf(count)] }),
  'another order': (count) => ({ '$setElementOrder/list': namedOf(count).reverse() }),
  'many texts': (count) => ({ texts: textsOf(count).reverse() }),
};

const forms = (() => {
  const strategic = new StrategicMerge(namesFor('orch'));
  return {
    'merge patch': {
      patches: mergePatches,
      apply: applyMergePatch,
      inPieces: applyMergePatchInPieces,
    },
    'strategic merge patch': {
      patches: strategicPatches,
      apply: (document: unknown, patch: unknown) => strategic.apply(document, patch, kind),
      inPieces: (document: unknown, patch: unknown) => strategic.applyInPieces(document, patch, kind),
    },
  };
})();

describe('merge patches in pieces', () => {
  for (const [form, { patches, apply, inPieces: applyInPieces }] of Object.entries(forms))
    for (const [what, patchOf] of Object.entries(patches))
      it(`a ${form} of a large document is applied in pieces, which grow in proportion: ${what}`, () => {
        const document = { ...documentOf(COUNT), texts: textsOf(COUNT) };
        const before = JSON.stringify(document);
        const once = inPieces(applyInPieces(document, patchOf(COUNT)));
        const large = { ...documentOf(2 * COUNT), texts: textsOf(2 * COUNT) };
        const twice = inPieces(applyInPieces(large, patchOf(2 * COUNT)));
        assert.equal(JSON.stringify(once.result), JSON.stringify(apply(document, patchOf(COUNT))));
        assert.equal(JSON.stringify(document), before, 'the document is left as it was');
        assert.ok(once.pieces >= COUNT / STEPS_OF_A_PIECE, `${once.pieces} pieces`);
        assert.ok(
          twice.pieces <= MAX_GROWTH_OF_SORTED * once.pieces,
          `${once.pieces} and ${twice.pieces} pieces`,
        );
      });
});

/** The operation on the field `d`. */
const below = <T extends { readonly path: string; readonly from?: string }>(operation: T): T => ({
  ...operation,
  path: `/d${operation.path}`,
  ...(operation.from === undefined ? {} : { from: `/d${operation.from}` }),
});
