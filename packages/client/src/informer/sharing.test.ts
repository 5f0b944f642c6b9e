import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Random } from '@orch/machinery';
import { cloneJson, parseJson } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { Sharing } from './sharing.ts';

describe('sharing of equal parts', () => {
  it('equal values are shared, and different ones are not', () => {
    const sharing = new Sharing();
    const make = (image: string): object => ({ spec: { containers: [{ image, ports: [{ port: 80 }] }] } });
    const [a, b, c] = [sharing.share(make('x')), sharing.share(make('x')), sharing.share(make('y'))] as {
      spec: { containers: { ports: object }[] };
    }[];
    assert.equal(a, b);
    assert.notEqual(a?.spec, c?.spec);
    assert.equal(a?.spec.containers[0]?.ports, c?.spec.containers[0]?.ports);
  });

  it('values with another order or names of fields, or other types, are not shared', () => {
    const texts = [
      '{"a":1,"b":1}',
      '{"b":1,"a":1}',
      '{"c":1,"b":1}',
      '["a"]',
      '{"0":"a"}',
      '[1]',
      '["1"]',
      '[true]',
      '[null]',
      '[2]',
      '[1.5]',
      '[[]]',
      '[{}]',
      '{"a":12345678901234567890}',
    ];
    const sharing = new Sharing();
    const shared = texts.map((text) => sharing.share(parseJson(Buffer.from(text))));
    assert.deepEqual(
      shared.map((value) => JSON.stringify(value)),
      texts,
    );
    assert.equal(new Set(shared).size, texts.length);
  });

  it('numbers beyond the precision of a double, and fields named __proto__, are unchanged', () => {
    const text = '{"n":12345678901234567890,"__proto__":{"x":"y"}}';
    const sharing = new Sharing();
    for (let i = 0; i < 2; i++) {
      assert.equal(JSON.stringify(sharing.share(parseJson(Buffer.from(text)))), text);
    }
    assert.equal(({} as { x?: string }).x, undefined);
  });

  it('long strings and large values are not kept in the tables', () => {
    const sharing = new Sharing();
    const long = (): object => ({ text: 'x'.repeat(300) });
    assert.notEqual(sharing.share(long()), sharing.share(long()));
    const large = (): number[] => Array.from({ length: 200 }, (_, i) => i);
    assert.notEqual(sharing.share(large()), sharing.share(large()));
  });

  it('sharing never changes the content of a value, for random values', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const random = seededRandom(seed);
      const sharing = new Sharing();
      const kept: { value: unknown; copy: unknown }[] = [];
      for (let i = 0; i < 100; i++) {
        const value = anything(random, 4);
        kept.push({ copy: cloneJson(value), value: sharing.share(value) });
      }
      for (const { value, copy } of kept) assert.deepEqual(value, copy, `seed ${seed}`);
    }
  });
});

/** Values of few kinds, so that many are equal. */
function anything(random: Random, depth: number): unknown {
  const leaves = ['a', 'b', '', 0, 1, -1, 1.5, true, false, null];
  const kind = depth === 0 ? 0 : random.int(4);
  if (kind < 2) return leaves[random.int(leaves.length)];
  const inner = Array.from({ length: random.int(4) }, () => anything(random, depth - 1));
  return kind === 2
    ? inner
    : Object.fromEntries(inner.map((each, i) => [`m${(i + random.int(2)) % 4}`, each]));
}
