import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareVersions, formatApiVersion, parseApiVersion } from './group-version.ts';

describe('API versions as text', () => {
  it('an API version is a version alone for the core group, else group and version', () => {
    assert.deepEqual(parseApiVersion('v1'), { group: '', version: 'v1' });
    assert.deepEqual(parseApiVersion('apps/v1'), { group: 'apps', version: 'v1' });
    for (const text of ['v1', 'apps/v1'])
      assert.equal(formatApiVersion(parseApiVersion(text) ?? { group: 'x', version: 'x' }), text);
  });

  for (const text of ['', '/', '/v1', 'apps/', 'a/b/c']) {
    it(`${JSON.stringify(text)} is not an API version`, () => assert.equal(parseApiVersion(text), undefined));
  }
});

describe('order of versions', () => {
  it('the order of versions puts stable before beta before alpha, newer before older, and other names last', () => {
    const order = [
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
    ];
    assert.deepEqual([...order].reverse().sort(compareVersions), order);
  });
});
