import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import type { ResourceType } from '../resource-type.ts';
import { writePath } from '../testing/write-path.ts';
import { configMaps } from './config-map.ts';
import { secrets } from './secret/index.ts';

const COUNT = 5000;
const KEYS_OF_A_PIECE = 64;

const path = writePath();

/** An object with so many keys, some of them wrong. */
function objectOf(type: ResourceType, keys: number): ApiObject {
  const data = Object.fromEntries(
    Array.from({ length: keys }, (_, i) => [i % 100 === 1 ? `wrong/${i}` : `k${i}`, 'YWJj']),
  );
  const more = type === configMaps ? { binaryData: { k2: 'YWJj', k3: 'YWJj' } } : {};
  return path.codec(type).decode({ metadata: { name: 'wide' }, data, ...more }).value;
}

describe('config maps and secrets with thousands of keys', () => {
  for (const type of [configMaps, secrets]) {
    it(`a wide object has the same violations in pieces as at once: ${type.kind}`, () => {
      const next = objectOf(type, COUNT);
      const old = { ...objectOf(type, 10), immutable: true };
      for (const before of [undefined, old]) {
        const work = type.strategy.validation?.(next, before, path.context);
        assert.ok(work !== undefined);
        let pieces = 1;
        let step = work.next();
        for (; step.done !== true; step = work.next()) pieces += 1;
        assert.deepEqual(step.value, type.strategy.validate?.(next, before, path.context));
        assert.ok(step.value.length >= COUNT / 100, `${step.value.length} violations`);
        assert.ok(pieces >= COUNT / KEYS_OF_A_PIECE, `${pieces} pieces`);
      }
    });

    it(`an object with few keys is validated at once: ${type.kind}`, () => {
      assert.equal(type.strategy.validation?.(objectOf(type, 10), undefined, path.context), undefined);
    });
  }
});
