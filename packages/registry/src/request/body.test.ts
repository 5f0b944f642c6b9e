import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findKind } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { Turns } from '@orch/machinery/concurrency';
import { writeProtobuf } from '@orch/request';
import { protobufCompiler } from '@orch/schema';
import { requestOf } from '../testing/answers.ts';
import { configMap, pod } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';
import { parseBody, parseLargeYaml, readBody } from './body.ts';

const ns = '/api/v1/namespaces/default';
const cms = `${ns}/configmaps`;
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('malicious request bodies', () => {
  const refused: readonly (readonly [
    title: string,
    body: string,
    contentType: string,
    code: number,
    message: RegExp,
  ])[] = [
    [
      'JSON 20,000 levels deep',
      `{"metadata":{"name":"a"},"x":${nested(20_000)}}`,
      'application/json',
      400,
      /nested|deep/i,
    ],
    [
      'YAML 20,000 levels deep',
      `{"metadata":{"name":"a"},"x":${nested(20_000)}}`,
      'application/yaml',
      400,
      /nested|deep|limit/i,
    ],
    [
      'the Protobuf of the other naming, with what to do about it',
      'k8s',
      namesFor('kubernetes').mediaTypes.protobuf,
      415,
      /unknown format .*; such clients need a server that was started with --naming=kubernetes$/,
    ],
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`)
        .join('\n')}\n`,
      'application/yaml',
      400,
      /YAML/,
    ],
    ['malformed JSON, with the place', '{"metadata":{"name":"a"},}', 'application/json', 400, /offset 25/],
    ['malformed YAML, with the place', 'metadata:\n  name: "a\n', 'application/yaml', 400, /line/],
    [
      'two YAML documents',
      'metadata: {name: a}\n---\nmetadata: {name: b}\n',
      'application/yaml',
      400,
      /YAML/,
    ],
    ['bytes that are not UTF-8', '{"metadata":{"name":"\xff"}}', 'application/json', 400, /UTF-8/],
    ['a list', '[]', 'application/json', 400, /must be an object/],
    ['null', 'null', 'application/json', 400, /must be an object/],
    ['a kind that is not a string', '{"kind":{}}', 'application/json', 400, /kind/],
    ['metadata that is not an object', '{"metadata":[]}', 'application/json', 400, /metadata/],
    [
      'labels that are not strings',
      '{"metadata":{"name":"a","labels":{"x":1}}}',
      'application/json',
      400,
      /metadata\.labels/,
    ],
  ];
  for (const [title, body, contentType, code, message] of refused) {
    it(`a request body gets ${code}: ${title}`, async () => {
      await using api = await RegistryFixture.open();
      const answer = await api.post(cms, Buffer.from(body, 'latin1'), { contentType });
      assert.equal(answer.status, code, answer.text.slice(0, 300));
      assert.match(answer.json.message, message);
      assert.equal((await api.get(cms)).json.items.length, 0);
    });
  }

  it('numbers above 2^53 in a body keep all digits', async () => {
    await using api = await RegistryFixture.open();
    const body =
      '{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}],"securityContext":{"fsGroup":1},"activeDeadlineSeconds":9007199254740993}}';
    const created = await api.post(`${ns}/pods?dryRun=All`, body);
    assert.match(created.text, /9007199254740993/);
    const secret = await api.post(`${ns}/secrets`, { metadata: { name: 's' } });
    assert.equal(secret.status, 201);
    const rc =
      '{"metadata":{"name":"l"},"spec":{"leaseDurationSeconds":10,"holderIdentity":"12345678901234567890"}}';
    assert.match(
      (await api.post('/apis/coordination.orch.io/v1/namespaces/default/leases', rc)).text,
      /"12345678901234567890"/,
    );
  });

  it('__proto__ in a body is an ordinary field name', async () => {
    await using api = await RegistryFixture.open();
    const body =
      '{"__proto__":{"polluted":1},"metadata":{"name":"a","__proto__":{"polluted":1},"annotations":{"constructor":"x"}},"data":{"__proto__":"kept","toString":"too"}}';
    const { status, text } = await api.post(cms, body);
    assert.equal(status, 201, text);
    assert.match(text, /"data":\{"__proto__":"kept","toString":"too"\}/);
    assert.match((await api.get(`${cms}/a`)).text, /"__proto__":"kept"/);
    const patched = await api.patch(`${cms}/a`, '{"data":{"__proto__":"again","__defineGetter__":"y"}}');
    assert.match(patched.text, /"__proto__":"again"/);
    const jsonPatched = await api.patch(
      `${cms}/a`,
      '[{"op":"add","path":"/data/__proto__","value":"more"}]',
      'json',
    );
    assert.match(jsonPatched.text, /"__proto__":"more"/);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    assert.equal((await api.get(`${cms}?labelSelector=toString`)).status, 200);
  });

  it('unknown fields are dropped, and reported in releases with field validation', async () => {
    const body = '{"metadata":{"name":"a"},"data":{"k":"v","k":"w"},"dota":1}';
    await using older = await RegistryFixture.open();
    const plain = await older.post(`${cms}?fieldValidation=Strict`, body);
    assert.deepEqual([plain.status, plain.json.dota, plain.headers['Warning']], [201, undefined, undefined]);
    await using newer = await RegistryFixture.open({ release: '1.25' });
    const strict = await newer.post(`${cms}?fieldValidation=Strict`, body);
    assert.equal(strict.status, 400);
    assert.match(strict.json.message, /unknown field "dota".*duplicate field "data\.k"/);
    const warned = await newer.post(cms, body);
    assert.equal(warned.status, 201);
    assert.deepEqual(warned.headers['Warning'], [
      '299 - "unknown field \\"dota\\""',
      '299 - "duplicate field \\"data.k\\""',
    ]);
    const refused = await newer.post(cms, body.replace('"a"', '"A"'));
    assert.deepEqual([refused.status, refused.headers['Warning']], [422, warned.headers['Warning']]);
    assert.equal(
      (await newer.post(`${cms}?fieldValidation=Ignore&dryRun=All`, body.replace('"a"', '"b"'))).headers[
        'Warning'
      ],
      undefined,
    );
    assert.equal((await newer.post(`${cms}?fieldValidation=Sometimes`, body)).status, 422);
  });

  it('a malformed body does not affect the next request', async () => {
    await using api = await RegistryFixture.open();
    const answers = await Promise.all([
      api.post(cms, `{"x":${nested(20_000)}}`),
      api.post(cms, configMap('good')),
      api.post(`${ns}/pods`, pod('Bad')),
      api.get(`${cms}?limit=x`),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 201, 422, 400],
    );
  });
});

describe('a large body with the media type of YAML', () => {
  const options = { reportDuplicates: true };
  for (const [what, text, minPieces] of [
    ['JSON', `{"data":{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":"v"`).join()},"k0":""}}`, 5],
    ['YAML that begins like JSON', `{a: [${'1, '.repeat(1000)}], b: 2}`, 1],
    ['YAML', 'a: 1\na: 2\n', 0],
  ] as const)
    it(`a large body with the media type of YAML has the value and duplicates of a small one, in pieces if possible: ${what}`, async () => {
      const bytes = Buffer.from(text);
      let pieces = 0;
      const turns = new Turns({
        clock: {
          monotonic: () => {
            pieces += 1;
            return 0;
          },
        },
      });
      const { signal } = new AbortController();
      const parsed = await parseLargeYaml({ bytes, signal }, options, { turns, yaml: undefined });
      assert.deepEqual(parsed, parseBody(bytes, 'application/yaml', options));
      assert.ok(pieces >= minPieces, `${pieces} pieces`);
    });
});

describe('a large body in Protobuf', () => {
  const names = namesFor('orch');
  const { schema } = findKind('', 'v1', 'ConfigMap') ?? assert.fail('no kind');
  const codec = protobufCompiler(names).compile(schema);
  const mediaType = names.mediaTypes.protobuf;
  const protobuf = { mediaType, kind: 'ConfigMap', schemaName: 'ConfigMap', codec };

  /** The body with so many keys, and the pieces in which it is parsed. */
  async function parsedWith(keys: number) {
    const data = Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key-${i}`, `the value ${i}`]));
    const body = writeProtobuf({ kind: 'ConfigMap', apiVersion: 'v1', ...configMap('one', data) }, codec);
    let pieces = 0;
    const turns = new Turns({
      clock: {
        monotonic: () => {
          pieces += 1;
          return 0;
        },
      },
    });
    const request = requestOf('POST', cms, { body, contentType: mediaType });
    const options = { limitBytes: 3e6, protobuf, cbor: false, reportDuplicates: true, yaml: undefined };
    const { value } = await readBody(request, { ...options, turns });
    assert.deepEqual((value as { readonly data: unknown }).data, data);
    return pieces;
  }

  it('a large body in Protobuf is parsed in pieces, whose number grows in proportion', async () => {
    const once = await parsedWith(10_000);
    const twice = await parsedWith(20_000);
    assert.ok(once >= 15, `${once} pieces`);
    assert.ok(twice <= 2.3 * once, `${once} and ${twice} pieces`);
  });
});
