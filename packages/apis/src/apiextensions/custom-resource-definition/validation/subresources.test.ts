import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSimpleJsonPath } from './subresources.ts';

describe('paths of replicas', () => {
  for (const [path, isOne] of [
    ['.spec.replicas', true],
    ['.spec.a[0]', true],
    ['.spec.a\\.b', true],
    ['spec.replicas', false],
    ['.spec..a', false],
    ['.spec.*', true],
    ['.spec[*]', false],
    ['.', false],
    ['', false],
  ] as const) {
    it(`paths of replicas: ${path} is ${isOne ? 'simple' : 'not'}`, () =>
      assert.equal(isSimpleJsonPath(path), isOne));
  }

  it('paths of replicas take time in proportion to their length', () => {
    for (const piece of ['.a', '[0]', '.a[0]', '\\', '. ']) {
      const start = performance.now();
      isSimpleJsonPath(piece.repeat(50_000));
      assert.ok(performance.now() - start < 2000, piece);
    }
  });
});
