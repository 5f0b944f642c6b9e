import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moduleFile, newestPatch, referenceModule } from './module-file.ts';

describe('the module of a reference', () => {
  it('staged modules are replaced by their published versions, and other replacements stay', () => {
    const file = [
      `module ${referenceModule}`,
      'go 1.19',
      'replace (',
      '\texample.com/api => ./staging/src/example.com/api',
      '\texample.com/other => example.com/fork v1.2.3',
      ')',
      'replace example.com/client => ./staging/src/example.com/client',
    ].join('\n');
    assert.equal(
      moduleFile('1.24.17', file),
      [
        'module reference',
        'go 1.19',
        `require ${referenceModule} v1.24.17`,
        'replace (',
        '\texample.com/api => example.com/api v0.24.17',
        '\texample.com/other => example.com/fork v1.2.3',
        '\texample.com/client => example.com/client v0.24.17',
        ')',
        '',
      ].join('\n'),
    );
  });

  it('the newest patch release counts as the release, not a release candidate', () => {
    const versions = ['v1.36.2', 'v1.36.13', 'v1.36.14-rc.0', 'v1.3.99', 'v1.37.0'];
    assert.equal(newestPatch('1.36', versions), '1.36.13');
    assert.equal(newestPatch('1.99', versions), undefined);
  });

  it('the last patch of an ended release is found where it is not listed', () => {
    assert.equal(newestPatch('1.28', ['v1.28.0-rc.1', 'v1.29.15']), '1.28.15');
    assert.equal(newestPatch('1.24', ['v1.24.2']), '1.24.17');
  });
});
