import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeBody } from './encode-body.ts';

describe('bodies of requests', () => {
  for (const [body, message] of [
    [{ replicas: Number.NaN }, 'replicas: must be a finite number, not NaN'],
    [
      { spec: { replicas: Number.POSITIVE_INFINITY } },
      'spec.replicas: must be a finite number, not Infinity',
    ],
    [
      { spec: { ports: [{ port: 1 }, { port: -Infinity }] } },
      'spec.ports[1].port: must be a finite number, not -Infinity',
    ],
    [
      { metadata: { labels: { 'a.b/c': Number.NaN } } },
      'metadata.labels[a.b/c]: must be a finite number, not NaN',
    ],
    [[{ op: 'add', path: '/a', value: Number.NaN }], '[0].value: must be a finite number, not NaN'],
    [{ args: ['a', undefined] }, 'args[1]: must be a JSON value, not undefined'],
  ] as const)
    it(`a value that JSON lacks is refused with its path: ${message}`, () => {
      assert.throws(() => encodeBody(body), { message });
    });

  it('null and absent fields, dates and bigints are encoded', () => {
    const body = { a: null, b: undefined, at: new Date(0), n: 9007199254740993n, small: 5n, list: [1n] };
    assert.equal(
      encodeBody(body).toString(),
      '{"a":null,"at":"1970-01-01T00:00:00.000Z","n":9007199254740993,"small":5,"list":[1]}',
    );
  });

  it('what JSON cannot hold at all is refused', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const body of [circle, undefined, () => 1]) assert.throws(() => encodeBody(body));
  });
});
