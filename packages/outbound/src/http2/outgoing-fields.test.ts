import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noBody } from '../message/request.ts';
import { fieldMap, outgoingFields, takesFieldList } from './outgoing-fields.ts';

describe('fields of a request over HTTP/2', () => {
  const fields = outgoingFields({
    method: 'GET',
    target: '/api?limit=1',
    headers: {
      host: 'backend:443',
      connection: 'close',
      accept: ['text/plain', 'text/html'],
      warning: ['a', 'b', 'c'],
    },
    bodyLength: 0,
    body: noBody,
    upgrade: undefined,
  });

  it('a request has its pseudo-header fields first, and no field of the connection', () => {
    assert.deepEqual(fields.slice(0, 8), [
      ':method',
      'GET',
      ':path',
      '/api?limit=1',
      ':scheme',
      'https',
      ':authority',
      'backend:443',
    ]);
    assert.deepEqual(fields.slice(8), [
      'accept',
      'text/plain',
      'accept',
      'text/html',
      'warning',
      'a',
      'warning',
      'b',
      'warning',
      'c',
    ]);
  });

  it('versions of Node that take no list get the same fields by name, in the same order', () => {
    const map = fieldMap(fields);
    assert.deepEqual(Object.keys(map), [':method', ':path', ':scheme', ':authority', 'accept', 'warning']);
    assert.deepEqual(map['accept'], ['text/plain', 'text/html']);
    assert.deepEqual(map['warning'], ['a', 'b', 'c']);
    assert.equal(map[':path'], '/api?limit=1');
  });

  for (const [version, expected] of [
    ['20.18.0', false],
    ['22.16.0', false],
    ['22.19.0', true],
    ['23.11.0', false],
    ['24.1.0', false],
    ['24.2.0', true],
    ['26.0.0', true],
  ] as const)
    it(`Node ${version} ${expected ? 'takes' : 'does not take'} a list of names and values`, () =>
      assert.equal(takesFieldList(version), expected));
});
