import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { unicodeString } from '@orch/machinery/testing/unicode-string';
import fc from 'fast-check';
import { collectionPath, objectPath, queryOf } from './paths.ts';
import { configMaps, deployments, nodes } from './testing/served.ts';

describe('paths (spec 4.1)', () => {
  for (const [path, expected] of [
    [collectionPath(configMaps, 'default'), '/api/v1/namespaces/default/configmaps'],
    [collectionPath(configMaps, undefined), '/api/v1/configmaps'],
    [collectionPath(nodes, 'default'), '/api/v1/nodes'],
    [collectionPath(deployments, 'a'), '/apis/apps/v1/namespaces/a/deployments'],
    [objectPath(configMaps, 'default', 'a.b-c'), '/api/v1/namespaces/default/configmaps/a.b-c'],
    [objectPath(nodes, undefined, 'n'), '/api/v1/nodes/n'],
    [objectPath(nodes, undefined, 'system:n'), '/api/v1/nodes/system%3An'],
    [objectPath(nodes, undefined, 'ü ?#&'), '/api/v1/nodes/%C3%BC%20%3F%23%26'],
    [objectPath(deployments, 'a', 'd', 'scale'), '/apis/apps/v1/namespaces/a/deployments/d/scale'],
  ] as const) {
    it(`a path is built: ${expected}`, () => assert.equal(path, expected));
  }

  const bad = ['', '.', '..', 'a/b', '../secrets/x', 'a%2fb', '\ud800'];
  for (const name of bad) {
    it(`${JSON.stringify(name)} is rejected as name, namespace and subresource`, () => {
      for (const make of [
        () => objectPath(configMaps, 'default', name),
        () => objectPath(configMaps, name, 'a'),
        () => collectionPath(configMaps, name),
        () => objectPath(configMaps, 'default', 'a', name),
        () => objectPath({ ...nodes, resource: name }, undefined, 'a'),
        () => objectPath({ ...deployments, group: name || '..' }, 'a', 'a'),
      ]) {
        assert.throws(make, (error) => error instanceof ApiError && error.status.code === 400);
      }
    });
  }

  it('a namespaced resource requires a namespace', () => {
    assert.throws(() => objectPath(configMaps, undefined, 'a'), /a namespace is required/);
  });

  it('every name is one segment of the path', () => {
    fc.assert(
      fc.property(unicodeString({ minLength: 1 }), (name) => {
        let path: string;
        try {
          path = objectPath(configMaps, 'default', name);
        } catch (error) {
          assert.ok(error instanceof ApiError);
          assert.ok(/[/%]/.test(name) || name === '.' || name === '..');
          return;
        }
        const url = new URL(path, 'http://h');
        assert.equal(url.search + url.hash, '');
        const segments = url.pathname.split('/');
        assert.equal(segments.length, 7);
        assert.equal(decodeURIComponent(segments[6] ?? ''), name);
      }),
    );
  });
});

describe('queries of requests', () => {
  it('undefined values are omitted, and others are escaped', () => {
    assert.equal(queryOf({ a: undefined }), '');
    assert.equal(
      queryOf({ a: 'x=1,y in (a b)', b: 0, c: false, d: undefined }),
      '?a=x%3D1%2Cy%20in%20(a%20b)&b=0&c=false',
    );
    assert.throws(() => queryOf({ a: '\udc00' }), /Unicode/);
  });

  it('a server decodes queries to the original values', () => {
    fc.assert(
      fc.property(unicodeString(), (value) => {
        const read = new URLSearchParams(queryOf({ labelSelector: value }));
        assert.deepEqual([...read], [['labelSelector', value]]);
      }),
    );
  });
});
