import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, namesFor } from '@orch/machinery';
import fc from 'fast-check';
import { Negotiator, PrettyPrinter, parseAccept, prettyJson, type Shape } from './index.ts';

describe('Accept header fields', () => {
  for (const [header, types] of [
    ['application/json', ['application/json']],
    ['a/b;q=0.1, c/d;q=0.9, e/f', ['e/f', 'c/d', 'a/b']],
    ['a/b, c/d', ['a/b', 'c/d']],
    ['a/b;q=0, c/d', ['c/d']],
    ['A/B ; Q=0.5 ,', ['a/b']],
    ['a/b;x="1,2;3", c/d', ['a/b', 'c/d']],
    ['a/b;q=oops', ['a/b']],
    ['*/*, a/*, a/b', ['a/b', 'a/*', '*/*']],
    ['*/*;q=0.9, a/b;q=0.8', ['*/*', 'a/b']],
    ['a/b;q=0.123, c/d;q=0.124, e/f;q=1.000', ['e/f', 'c/d', 'a/b']],
  ] as const) {
    it(`the order of ${header} is by quality and specificity`, () =>
      assert.deepEqual(
        parseAccept(header).map((range) => range.type),
        types,
      ));
  }

  it('parameters of media types are read, quoted ones too', () => {
    assert.deepEqual(
      { ...parseAccept('a/b;As=Table;g="x.y";v=v1;q=0.5')[0]?.parameters },
      { as: 'Table', g: 'x.y', v: 'v1' },
    );
  });
});

describe('negotiation (spec 4.7)', () => {
  const names = namesFor('orch');
  const table = (version = 'v1') => `application/json;as=Table;g=meta.orch.io;v=${version}`;
  const partial = (list = '', version = 'v1') =>
    `application/json;as=PartialObjectMetadata${list};g=meta.orch.io;v=${version}`;
  const rows: readonly (readonly [accept: string | undefined, shape: Shape, result: string])[] = [
    [undefined, 'object', 'json plain v1'],
    ['', 'object', 'json plain v1'],
    ['*/*', 'watch', 'json plain v1'],
    ['application/*', 'list', 'json plain v1'],
    ['application/json;stream=watch', 'object', 'json plain v1'],
    [table(), 'object', 'json table v1'],
    [table(), 'list', 'json table v1'],
    [table(), 'watch', 'json table v1'],
    [table('v1beta1'), 'list', 'json table v1beta1'],
    [table('v2'), 'list', '406'],
    [table().replace('meta.orch.io', 'meta.k8s.io'), 'list', '406'],
    ['application/vnd.orch.protobuf;as=Table;g=meta.orch.io;v=v1', 'list', '406'],
    ['application/vnd.orch.protobuf;as=Table;g=meta.orch.io;v=v1,*/*', 'list', 'json plain v1'],
    ['application/vnd.orch.protobuf', 'list', 'protobuf plain v1'],
    ['application/vnd.orch.protobuf', 'object', 'protobuf plain v1'],
    ['application/vnd.orch.protobuf', 'watch', 'protobuf plain v1'],
    ['application/vnd.orch.protobuf;stream=watch', 'watch', 'protobuf plain v1'],
    ['application/vnd.orch.protobuf', 'plain', 'protobuf plain v1'],
    ['application/vnd.orch.protobuf', 'document', 'protobuf plain v1'],
    ['application/vnd.orch.protobuf;as=Table;g=meta.orch.io;v=v1', 'document', '406'],
    ['application/vnd.orch.protobuf,application/json', 'document', 'protobuf plain v1'],
    ['application/vnd.kubernetes.protobuf', 'list', '406'],
    ['application/vnd.orch.protobuf,application/json', 'list', 'protobuf plain v1'],
    ['application/json,application/vnd.orch.protobuf', 'list', 'json plain v1'],
    ['application/vnd.orch.protobuf;q=0.4,application/json;q=0.5', 'list', 'json plain v1'],
    ['application/vnd.orch.protobuf;q=0,*/*', 'list', 'json plain v1'],
    ['application/vnd.orch.protobuf, */*', 'object', 'protobuf plain v1'],
    ['*/*, application/vnd.orch.protobuf', 'object', 'protobuf plain v1'],
    ['application/*, application/yaml', 'object', 'yaml plain v1'],
    ['*/*, application/yaml', 'watch', 'json plain v1'],
    ['text/*, application/vnd.orch.protobuf;q=0.1', 'watch', 'protobuf plain v1'],
    ['application/vnd.orch.protobuf;q=0', 'list', '406'],
    ['APPLICATION/VND.ORCH.PROTOBUF; charset=utf-8', 'list', 'protobuf plain v1'],
    [
      'application/vnd.orch.protobuf;as=Table;g=meta.orch.io;v=v1,application/vnd.orch.protobuf',
      'list',
      'protobuf plain v1',
    ],
    [
      `application/vnd.orch.protobuf;as=Table;g=meta.orch.io;v=v1,${table()};q=0.9,application/json;q=0.8`,
      'watch',
      'json table v1',
    ],
    [
      `${partial('List')};q=0.5,application/vnd.orch.protobuf;as=PartialObjectMetadataList;g=meta.orch.io;v=v1`,
      'list',
      'protobuf partial v1',
    ],
    [partial().replace('json', 'vnd.orch.protobuf'), 'object', 'protobuf partial v1'],
    [partial().replace('json', 'vnd.orch.protobuf'), 'watch', 'protobuf partial v1'],
    [partial('List', 'v1beta1').replace('json', 'vnd.orch.protobuf'), 'list', 'protobuf partial v1beta1'],
    [table(), 'plain', '406'],
    [partial(), 'object', 'json partial v1'],
    [partial(), 'watch', 'json partial v1'],
    [partial(), 'list', '406'],
    [partial('List'), 'list', 'json partial v1'],
    [partial('List', 'v1beta1'), 'list', 'json partial v1beta1'],
    [partial('List'), 'object', '406'],
    ['application/xml', 'object', '406'],
    ['text/html', 'list', '406'],
    ['application/yaml', 'object', 'yaml plain v1'],
    ['application/yaml', 'list', 'yaml plain v1'],
    ['application/yaml', 'watch', '406'],
    [`${table()},${table('v1beta1')},application/json`, 'list', 'json table v1'],
    [`application/yaml;q=0.5,${table()};q=0.4`, 'list', 'yaml plain v1'],
    [`${table()},application/json`, 'document', 'json plain v1'],
    ['application/vnd.orch.protobuf', 'jsonObject', '406'],
    ['application/vnd.orch.protobuf', 'jsonList', '406'],
    ['application/vnd.orch.protobuf;stream=watch', 'jsonWatch', '406'],
    ['application/yaml', 'jsonWatch', '406'],
    ['application/vnd.orch.protobuf,application/json', 'jsonList', 'json plain v1'],
    [table(), 'jsonWatch', 'json table v1'],
    [partial().replace('json', 'vnd.orch.protobuf'), 'jsonObject', 'protobuf partial v1'],
    [partial('List').replace('json', 'vnd.orch.protobuf'), 'jsonList', 'protobuf partial v1'],
    [partial('List'), 'jsonObject', '406'],
  ];
  const cborRows: typeof rows = [
    ['application/cbor', 'object', 'cbor plain v1'],
    ['application/cbor', 'list', 'cbor plain v1'],
    ['application/cbor', 'jsonObject', 'cbor plain v1'],
    ['application/cbor', 'watch', 'cbor plain v1'],
    ['application/cbor-seq', 'jsonWatch', 'cbor plain v1'],
    ['application/cbor-seq', 'list', '406'],
    ['application/cbor', 'plain', 'cbor plain v1'],
    ['application/cbor', 'document', '406'],
    ['application/cbor,application/json;q=0.5', 'object', 'cbor plain v1'],
    [table().replace('json', 'cbor'), 'list', 'cbor table v1'],
    [partial('List').replace('json', 'cbor'), 'list', 'cbor partial v1'],
  ];
  const withoutCbor = cborRows.map(([accept, shape]): (typeof rows)[number] => [
    accept,
    shape,
    accept?.includes('application/json') ? 'json plain v1' : '406',
  ]);
  const servers = [
    { cbor: false, title: 'without CBOR', expected: [...rows, ...withoutCbor] },
    { cbor: true, title: 'with CBOR', expected: [...rows, ...cborRows] },
  ];
  const cases = servers.flatMap((server) => server.expected.map((row) => ({ ...server, row })));
  for (const { cbor, title, row } of cases) {
    const [accept, shape, result] = row;
    it(`${accept ?? 'nothing'} accepted for a ${shape} yields ${result} ${title}`, () => {
      const negotiator = new Negotiator(names, { cbor });
      const outcome = (): string => {
        try {
          const { encoding, as, metaVersion } = negotiator.negotiate(accept, shape);
          return `${encoding} ${as} ${metaVersion}`;
        } catch (cause) {
          assert.ok(cause instanceof ApiError);
          return String(cause.status.code);
        }
      };
      assert.equal(outcome(), result);
      assert.equal(outcome(), result);
    });
  }
});

describe('indented JSON documents', () => {
  it('the output equals JSON.stringify with two spaces, however the bytes are sliced', () => {
    fc.assert(
      fc.property(
        fc.jsonValue().filter((v) => typeof v === 'object' && v !== null),
        fc.nat(40),
        (value, cut) => {
          const json = Buffer.from(JSON.stringify(value));
          const expected = `${JSON.stringify(value, undefined, 2)}\n`;
          assert.equal(prettyJson(json).toString(), expected);
          const printer = new PrettyPrinter();
          const parts = [json.subarray(0, cut), json.subarray(cut)].map((part) => printer.push(part));
          assert.equal(Buffer.concat(parts).toString(), expected);
        },
      ),
    );
  });

  it('numbers keep their digits when JSON is indented', () => {
    assert.equal(
      prettyJson(Buffer.from('{"n":12345678901234567890.10}')).toString(),
      '{\n  "n": 12345678901234567890.10\n}\n',
    );
  });
});
