import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attributesOf } from './attributes.ts';
import { parseRequestInfo } from './request-info.ts';

const user = { name: 'u', uid: '', groups: [], extra: {} };
const collection = '/api/v1/namespaces/ns/secrets';

/** The name that authorization sees. */
function nameOf(method: string, path: string, rawQuery: string): string {
  const info = parseRequestInfo({ method, rawPath: path, rawQuery, contentType: undefined });
  const attributes = attributesOf(info, user, rawQuery);
  return attributes.isResource ? attributes.name : attributes.path;
}

describe('object name in the attributes of a collection request', () => {
  for (const [what, method, query, expected] of [
    ['a list', 'GET', 'fieldSelector=metadata.name%3Da', 'a'],
    ['a watch', 'GET', 'watch=1&fieldSelector=metadata.name%3Da', 'a'],
    ['a deletecollection', 'DELETE', 'fieldSelector=metadata.name==a', ''],
    ['a selector with more', 'GET', 'fieldSelector=type%3DOpaque,metadata.name%3Da', 'a'],
    ['an encoded parameter', 'GET', 'field%53elector=metadata.name%3Da', 'a'],
    [
      'the first of two selectors',
      'GET',
      'fieldSelector=metadata.name%3Da&fieldSelector=metadata.name%3Db',
      'a',
    ],
    ['an empty first selector', 'GET', 'fieldSelector=&fieldSelector=metadata.name%3Da', ''],
    ['no selector', 'GET', 'limit=5', ''],
    ['all but one', 'GET', 'fieldSelector=metadata.name!=a', ''],
    ['another field', 'GET', 'fieldSelector=metadata.namespace%3Da', ''],
    ['a field like it', 'GET', 'fieldSelector=metadata.names%3Da', ''],
    ['a value that is not a name', 'GET', 'fieldSelector=metadata.name%3Da%2Fb', ''],
    ['an empty value', 'GET', 'fieldSelector=metadata.name%3D', ''],
    ['dots', 'GET', 'fieldSelector=metadata.name%3D..', ''],
    ['what is not a selector', 'GET', 'fieldSelector=metadata.name', ''],
    ['a create', 'POST', 'fieldSelector=metadata.name%3Da', ''],
  ] as const) {
    it(`the name is ${JSON.stringify(expected)} for ${what}`, () => {
      assert.equal(nameOf(method, collection, query), expected);
    });
  }

  it('the name in the path takes precedence', () => {
    assert.equal(nameOf('GET', `${collection}/b`, 'fieldSelector=metadata.name%3Da'), 'b');
  });
});
