import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeYaml } from './change.ts';
import { YamlSyntaxError } from './syntax-error.ts';

describe('changes of YAML texts', () => {
  it('a changed field keeps comments, order and other fields', () => {
    const text = '# first\nb: 1 # one\na: {c: 2}\n# last\nd: 3\n';
    assert.equal(
      changeYaml(text, [{ path: ['b'], value: 4 }]),
      '# first\nb: 4 # one\na: { c: 2 }\n# last\nd: 3\n',
    );
  });

  it('missing parents are created, also instead of null and in an empty list', () => {
    assert.equal(changeYaml('', [{ path: ['a', 'b'], value: 'x' }]), 'a:\n  b: x\n');
    assert.equal(changeYaml('a: null\n', [{ path: ['a', 'b'], value: 'x' }]), 'a:\n  b: x\n');
    assert.equal(changeYaml('a: []\n', [{ path: ['a', 0], value: { name: 'x' } }]), 'a:\n  - name: x\n');
  });

  it('a change without a value removes the field', () => {
    assert.equal(changeYaml('a: 1\nb: 2\n', [{ path: ['a'] }]), 'b: 2\n');
    assert.equal(changeYaml('a: 1\n', [{ path: ['missing'] }]), 'a: 1\n');
  });

  it('a malformed text is refused with its line', () => {
    assert.throws(
      () => changeYaml('a: 1\nb: [\n', [{ path: ['a'], value: 2 }]),
      (error) => error instanceof YamlSyntaxError && error.line >= 2,
    );
  });
});
