import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sealedRuntime } from './sealed-runtime.ts';

const names = [
  'BUN_BE_BUN',
  'BUN_OPTIONS',
  'BUN_INSPECT',
  'BUN_BYTECODE_ORDER_OUT',
  'BUN_BYTECODE_ORDER_NAMES_OUT',
  'BUN_BYTECODE_DIGEST_OUT',
];
const runtimeWith = (texts: readonly string[]): Buffer =>
  Buffer.from(`code\0${texts.join('\0')}\0see BUN_OPTIONS in the help`);

describe('the runtime in executables', () => {
  it('the names of the variables that control the runtime are blanked, and all else stays', () => {
    const expected = runtimeWith(names.map((name) => `\0${name.slice(1)}`));
    assert.deepEqual(sealedRuntime(runtimeWith(names)), expected);
  });

  for (const name of names)
    it(`a runtime is refused that has ${name} not at all, or twice`, () => {
      const others = names.filter((one) => one !== name);
      for (const runtime of [runtimeWith(others), runtimeWith([...names, name])])
        assert.throws(() => sealedRuntime(runtime), new RegExp(`${name} exactly once`));
    });
});
