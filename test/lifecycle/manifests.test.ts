import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findKind, findTypeOfKind } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { expectedPath, kindPath, readManifests } from './manifests.ts';

const names = namesFor('kubernetes');
const manifests = readManifests(names);

describe('manifests of all kinds', () => {
  it('the path of every manifest follows from its version and kind', () => {
    assert.deepEqual(
      manifests.map(({ path }) => kindPath(path)),
      manifests.map(({ object }) => expectedPath(object)),
    );
  });

  it('every manifest has a declared kind', () => {
    for (const { object, path } of manifests) {
      const at = object.apiVersion.lastIndexOf('/');
      const key = names.groupKey(object.apiVersion.slice(0, Math.max(0, at)));
      const group = key === 'core' ? '' : (key ?? assert.fail(path));
      assert.ok(findKind(group, object.apiVersion.slice(at + 1), object.kind), path);
    }
  });

  it('no two manifests of a kind have the same name, so that all can be applied together', () => {
    const titles = manifests
      .filter(({ object }) => isStored(object))
      .map(({ object: { kind, metadata } }) => `${kind} ${metadata.name}`);
    const twice = titles.filter((title, i) => titles.indexOf(title) !== i);
    assert.deepEqual(twice, []);
  });

  it('translated manifests contain no names of the other naming', () => {
    for (const { text, path } of readManifests(namesFor('orch')))
      assert.doesNotMatch(text, /k8s\.io|kubernetes\.io|x-kubernetes-/, path);
  });
});

function isStored({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean {
  const at = apiVersion.lastIndexOf('/');
  const key = names.groupKey(apiVersion.slice(0, Math.max(0, at)));
  const type = findTypeOfKind(key === 'core' ? '' : (key ?? ''), apiVersion.slice(at + 1), kind);
  return type !== undefined && type.virtual !== true;
}
