import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import type { DecodeOptions } from '../codec.ts';
import { f, items, struct } from '../declare.ts';
import { Widget } from '../testing/widget.ts';
import { codecCompiler, compileCodec } from './compiler.ts';

const codec = codecCompiler(namesFor('orch')).compile(Widget);
const read = (text: string): unknown => parseJson(Buffer.from(text));

/** Decodes only `spec` and returns its JSON. */
function spec(text: string, options: DecodeOptions = {}): string {
  const { value, problems } = codec.decode({ spec: read(text) }, options);
  assert.deepEqual(problems, []);
  return JSON.stringify(value['spec']);
}

/** The fields that every decoded spec has in addition. */
const rest = '"always":{},"args":null';
const tail = '"apiGroup":null';

describe('decoding of JSON objects', () => {
  it('decoded fields stand in declaration order after kind and apiVersion', () => {
    const { value, problems } = codec.decode({
      status: { ready: true },
      spec: { image: 'i', mode: 'Slow', replicas: 0 },
      metadata: { labels: { z: '1', a: '2' }, uid: 'u', name: 'n' },
      apiVersion: 'test/v1',
      kind: 'Widget',
    });
    assert.deepEqual(problems, []);
    assert.equal(
      JSON.stringify(value),
      '{"kind":"Widget","apiVersion":"test/v1",' +
        '"metadata":{"name":"n","uid":"u","creationTimestamp":null,"labels":{"a":"2","z":"1"}},' +
        `"spec":{"replicas":0,"mode":"Slow",${rest},${tail},"image":"i"},"status":{"ready":true}}`,
    );
  });

  it('an empty object is decoded to the fields that are always present', () => {
    assert.equal(
      JSON.stringify(codec.decode({}).value),
      `{"metadata":{"creationTimestamp":null},"spec":{${rest},${tail}},"status":{"ready":false}}`,
    );
  });

  for (const [title, input, expected] of [
    [
      'a null field counts as absent',
      '{"replicas":null,"mode":null,"ports":null,"args":null}',
      `${rest},${tail}`,
    ],
    [
      'zero values of optional fields are dropped',
      '{"mode":"","large":0,"ratio":0,"paused":false,"ports":[],"selector":{}}',
      `${rest},${tail}`,
    ],
    [
      'zero values of pointers are kept',
      '{"replicas":0,"probe":{}}',
      `"replicas":0,"probe":{},${rest},${tail}`,
    ],
    ['an empty list that is always written becomes null', '{"args":[]}', `${rest},${tail}`],
    ['a nullable field keeps its zero', '{"apiGroup":""}', `${rest},"apiGroup":""`],
    [
      'fields of inlined structs become fields of the parent',
      '{"name":"other"}',
      `"name":"other",${rest},${tail}`,
    ],
    [
      'whole numbers may be written with a point',
      '{"replicas":3.0,"large":1e3}',
      `"replicas":3,${rest},"large":1000,${tail}`,
    ],
    ['negative zero is decoded as zero', '{"replicas":-0}', `"replicas":0,${rest},${tail}`],
    [
      '64 bit numbers keep their value',
      '{"large":9223372036854775807}',
      `${rest},"large":9223372036854775807,${tail}`,
    ],
    [
      'a number beyond 2^53 in a free-form value keeps its value',
      '{"anything":[9007199254740993,1.10]}',
      `${rest},"anything":[9007199254740993,1.1],${tail}`,
    ],
    ['quantities are decoded to their canonical form', '{"size":"1024Mi"}', `"size":"1Gi",${rest},${tail}`],
    ['quantities are accepted as numbers', '{"size":1.5}', `"size":"1500m",${rest},${tail}`],
    [
      'amounts of resource lists are rounded up to thousandths',
      '{"limits":{"cpu":"1.0001"}}',
      `"limits":{"cpu":"1001m"},${rest},${tail}`,
    ],
    [
      'null in a resource list is decoded as zero',
      '{"limits":{"cpu":null}}',
      `"limits":{"cpu":"0"},${rest},${tail}`,
    ],
    ['base64 is accepted with line breaks', '{"key":"AA\\nAA"}', `"key":"AAAA",${rest},${tail}`],
    ['unused bits at the end of base64 are cleared', '{"key":"AB=="}', `"key":"AA==",${rest},${tail}`],
    [
      'times are decoded to UTC and whole seconds',
      '{"since":"2024-03-01T01:30:00.7+02:00"}',
      `${rest},"since":"2024-02-29T23:30:00Z",${tail}`,
    ],
    ['the zero time counts as absent', '{"since":"0001-01-01T00:00:00Z"}', `${rest},${tail}`],
    [
      'micro times keep six digits',
      '{"renewTime":"2024-03-01T01:30:00.000700+02:00"}',
      `${rest},"renewTime":"2024-02-29T23:30:00.000700Z",${tail}`,
    ],
    [
      'durations are decoded to their canonical form',
      '{"timeout":"90m"}',
      `${rest},"timeout":"1h30m0s",${tail}`,
    ],
    [
      'a field for a number or a string accepts both',
      '{"ports":[{"port":1,"target":"http"},{"port":2,"target":3}]}',
      `"ports":[{"port":1,"target":"http"},{"port":2,"target":3}],${rest},${tail}`,
    ],
    [
      'a null item becomes the zero value',
      '{"ports":[null],"args":[null,"a"]}',
      `"ports":[{"port":0,"target":0}],"always":{},"args":["","a"],${tail}`,
    ],
    [
      'free-form objects keep their order',
      '{"extra":{"b":1,"a":{"d":null,"c":[]}}}',
      `${rest},"extra":{"b":1,"a":{"d":null,"c":[]}},${tail}`,
    ],
    ['false in a free-form value is kept', '{"anything":false}', `${rest},"anything":false,${tail}`],
    [
      'map keys are sorted by their bytes',
      '{"selector":{"\\ud83d\\ude00":"3","\\uff5e":"2","a":"1"}}',
      `"selector":{"a":"1","\uff5e":"2","\ud83d\ude00":"3"},${rest},${tail}`,
    ],
    [
      'the key __proto__ is treated as any other key',
      '{"selector":{"__proto__":"x"},"extra":{"__proto__":{"a":1}}}',
      `"selector":{"__proto__":"x"},${rest},"extra":{"__proto__":{"a":1}},${tail}`,
    ],
    [
      'names of inherited properties are unknown fields',
      '{"constructor":1,"toString":{},"__proto__":{"mode":"Slow"}}',
      `${rest},${tail}`,
    ],
  ] as const) {
    it(title, () => {
      assert.equal(spec(input), `{${expected}}`);
    });
  }

  it('field names are translated to the naming of the server', () => {
    const other = codecCompiler(namesFor('kubernetes')).compile(Widget);
    const { value } = other.decode({ spec: { kubeletVersion: 'v1', nodeagentVersion: 'dropped' } });
    assert.equal((value['spec'] as Record<string, unknown>)['kubeletVersion'], 'v1');
    assert.equal(JSON.stringify(value).includes('dropped'), false);
  });

  it('fields that the emulated release lacks are dropped', () => {
    const older = codecCompiler(namesFor('orch'), { includes: (field) => field.since === undefined }).compile(
      Widget,
    );
    assert.equal(JSON.stringify(older.decode({ spec: { later: 'x' } }).value).includes('later'), false);
    assert.equal(JSON.stringify(codec.decode({ spec: { later: 'x' } }).value).includes('later'), true);
  });

  it('kind and apiVersion of the request are inserted when the object has none', () => {
    const typeMeta = { kind: 'Widget', apiVersion: 'test/v1' };
    assert.deepEqual(Object.keys(codec.decode({}, { typeMeta }).value), [
      'kind',
      'apiVersion',
      'metadata',
      'spec',
      'status',
    ]);
    assert.equal(codec.decode({ kind: 'Other' }, { typeMeta }).value.kind, 'Other');
    assert.equal(codec.decode({ kind: 'Other' }, { typeMeta }).value.apiVersion, 'test/v1');
  });

  it('a decoded object shares no mutable value with its input', () => {
    const input = { spec: { extra: { a: [1] }, args: ['a'], selector: { a: 'b' } } };
    const before = structuredClone(input);
    const value = codec.decode(input).value as unknown as typeof input;
    value.spec.extra.a.push(2);
    value.spec.args.push('b');
    value.spec.selector.a = 'c';
    assert.deepEqual(input, before);
  });
});

describe('problems of decoding', () => {
  it('bytes are base64 text, or a list of numbers', () => {
    const kind = struct('test.v1.Bytes', '', { data: f.map(1, items.bytes) });
    const { decode } = compileCodec(kind, namesFor('orch'));
    const { value, problems } = decode({ data: { a: 'AQI=', b: [1, 255, null], c: [] } });
    assert.deepEqual([value['data'], problems], [{ a: 'AQI=', b: 'Af8A', c: '' }, []]);
    for (const wrong of [[256], [-1], [0.5], ['1'], {}, 'a'])
      assert.equal(decode({ data: { a: wrong } }).problems.length, 1, JSON.stringify(wrong));
  });

  it('problems of a kind with credentials contain types and no values', () => {
    const kind = struct(
      'test.v1.Hidden',
      '',
      { count: f.int32(1), data: f.map(2, items.bytes), list: f.list(3, items.string), at: f.time(4) },
      { holdsCredentials: true },
    );
    const { problems } = compileCodec(kind, namesFor('orch')).decode({
      count: 'canary',
      data: { k: 'canary!' },
      list: [1234567],
      at: 'canary',
    });
    assert.deepEqual(
      problems.map(({ message }) => message),
      [
        'count: expected a whole number from -2147483648 to 2147483647, got a string',
        'data[k]: expected base64 text, got a string',
        'list[0]: expected a string, got a number',
        'at: expected a time such as "2006-01-02T15:04:05Z", got a string',
      ],
    );
  });

  for (const [title, input, expected] of [
    ['a list for a struct', '{"spec":[]}', ['spec: expected an object, got a list']],
    [
      'a string for a number',
      '{"spec":{"replicas":"three"}}',
      ['spec.replicas: expected a whole number from -2147483648 to 2147483647, got the string "three"'],
    ],
    [
      'a fraction for a whole number',
      '{"spec":{"replicas":1.5}}',
      ['spec.replicas: expected a whole number from -2147483648 to 2147483647, got the number 1.5'],
    ],
    [
      'more than 32 bits',
      '{"spec":{"replicas":2147483648}}',
      ['spec.replicas: expected a whole number from -2147483648 to 2147483647, got the number 2147483648'],
    ],
    [
      'more than 64 bits',
      '{"spec":{"large":9223372036854775808}}',
      ['spec.large: expected a whole number of 64 bits, got the number 9223372036854775808'],
    ],
    [
      'a huge exponent',
      '{"spec":{"large":1e400,"ratio":1e400}}',
      [
        'spec.large: expected a whole number of 64 bits, got the number 1e400',
        'spec.ratio: expected a number, got the number 1e400',
      ],
    ],
    [
      'a number for a string in a list of structs',
      '{"spec":{"ports":[{"port":1},{"port":2,"name":true}]}}',
      ['spec.ports[1].name: expected a string, got the boolean true'],
    ],
    [
      'a map value',
      '{"metadata":{"labels":{"a.b/c":1}}}',
      ['metadata.labels[a.b/c]: expected a string, got the number 1'],
    ],
    [
      'bad base64',
      '{"spec":{"data":{"k":"a?=="},"key":"AAA"}}',
      [
        'spec.data[k]: expected base64 text, got the string "a?=="',
        'spec.key: expected base64 text, got the string "AAA"',
      ],
    ],
    [
      'a bad quantity',
      '{"spec":{"limits":{"cpu":"1 core"}}}',
      ['spec.limits[cpu]: expected a quantity such as "500m" or "2Gi", got the string "1 core"'],
    ],
    [
      'a bad time',
      '{"spec":{"since":"2024-02-30T00:00:00Z"}}',
      ['spec.since: expected a time such as "2006-01-02T15:04:05Z", got the string "2024-02-30T00:00:00Z"'],
    ],
    [
      'a micro time without six digits',
      '{"spec":{"renewTime":"2024-02-03T00:00:00.5Z"}}',
      [
        'spec.renewTime: expected a time such as "2006-01-02T15:04:05.000000Z", got the string "2024-02-03T00:00:00.5Z"',
      ],
    ],
    [
      'a bad duration',
      '{"spec":{"timeout":"1 day"}}',
      ['spec.timeout: expected a duration such as "1h30m", got the string "1 day"'],
    ],
    [
      'an object for either number or string',
      '{"spec":{"ports":[{"target":{}}]}}',
      ['spec.ports[0].target: expected a whole number of 32 bits or a string, got an object'],
    ],
    [
      'a number for a free-form object',
      '{"spec":{"extra":12345678901234567890}}',
      ['spec.extra: expected an object, got the number 12345678901234567890'],
    ],
    [
      'an exact number for a struct or a map',
      '{"spec":{"probe":12345678901234567890,"selector":12345678901234567890}}',
      [
        'spec.probe: expected an object, got the number 12345678901234567890',
        'spec.selector: expected an object, got the number 12345678901234567890',
      ],
    ],
    ['the whole object', '"text"', ['expected an object, got the string "text"']],
  ] as const) {
    it(`a problem contains the path, the expected and the actual type: ${title}`, () => {
      const { problems } = codec.decode(read(input), { reportUnknown: true });
      assert.deepEqual(
        problems.map((p) => p.message),
        expected,
      );
      assert.ok(problems.every((p) => p.kind === 'type'));
    });
  }

  it('unknown fields are reported with their paths when requested', () => {
    const input = { x: 1, metadata: { y: 1 }, spec: { ports: [{ port: 1 }, { z: {} }], extra: { any: 1 } } };
    assert.deepEqual(codec.decode(input).problems, []);
    assert.deepEqual(
      codec.decode(input, { reportUnknown: true }).problems.map((p) => [p.kind, p.field, p.message]),
      [
        ['unknown', 'x', 'unknown field "x"'],
        ['unknown', 'metadata.y', 'unknown field "metadata.y"'],
        ['unknown', 'spec.ports[1].z', 'unknown field "spec.ports[1].z"'],
      ],
    );
  });

  it('the number of reported problems of each kind is bounded', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`u${i}`, 1]));
    const labels = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`l${i}`, 1]));
    const { problems } = codec.decode({ ...many, metadata: { labels } }, { reportUnknown: true });
    assert.equal(problems.filter((p) => p.kind === 'unknown').length, 100);
    assert.equal(problems.filter((p) => p.kind === 'type').length, 100);
    assert.equal(problems.at(-1)?.field, 'metadata.labels[l1087]');
  });

  it('nesting that would exhaust the stack is rejected', () => {
    let tree: unknown = {};
    let free: unknown = [];
    for (let i = 0; i < 100_000; i++) {
      tree = { children: [tree] };
      free = [free];
    }
    const { problems } = codec.decode({ spec: { tree, anything: free } });
    assert.equal(problems.length, 2);
    assert.ok(problems.every((p) => p.message.endsWith('nested more than 1000 levels deep')));
  });
});
