import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { missingPaths, projectPaths } from './named-paths.ts';
import { root } from './source-files.ts';

const paths = projectPaths();
const pages = paths.filter((path) => path.endsWith('.md'));

describe('files and folders that pages name', () => {
  it('the pages of packages, docs, examples and tests are found', () => {
    for (const page of ['README.md', 'docs/threat-model.md', 'packages/client/README.md', 'test/README.md'])
      assert.ok(pages.includes(page), page);
  });

  for (const path of pages)
    it(`${path} names only files and folders that exist`, () => {
      assert.deepEqual(missingPaths({ path, text: readFileSync(join(root, path), 'utf8') }, paths), []);
    });

  it('names of missing files and folders are reported', () => {
    const existing = [
      'docs/a.md',
      'packages/storage',
      'packages/storage/src',
      'packages/storage/src/store.ts',
    ];
    const text =
      'See `packages/storage/src/gone.ts`, `gone.ts`, `storage/gone`, `docs/gone.md`, `test/gone`.';
    assert.deepEqual(missingPaths({ path: 'docs/a.md', text }, existing), [
      'packages/storage/src/gone.ts',
      'gone.ts',
      'storage/gone',
      'docs/gone.md',
      'test/gone',
    ]);
  });

  it('complete paths, relative paths, ends of paths and patterns of existing files are accepted', () => {
    const existing = [
      'docs/a.md',
      'packages/storage',
      'packages/storage/src',
      'packages/storage/src/etcd/store.ts',
    ];
    const text =
      '`packages/storage/src/etcd/store.ts`, `storage/etcd/store.ts`, `etcd/store.ts`, `store.ts`, `a.md`, `storage/etcd/*.ts`, `packages/<name>/src`, `GET /api/v1`, `apps/v1`';
    assert.deepEqual(missingPaths({ path: 'docs/a.md', text }, existing), []);
  });
});
