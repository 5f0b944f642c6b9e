import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findKind } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { readCbor } from '@orch/machinery/cbor';
import { testEnv } from '@orch/machinery/testing';
import { parseYaml } from '@orch/machinery/yaml';
import { codecCompiler, openEnvelope, protobufCompiler } from '@orch/schema';
import { configMap } from '../testing/objects.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const KEYS = 5000;
/** Steps between two pieces of YAML at most. */
const STEPS_OF_A_PIECE = 64;
/** Slices of the JSON of such an object. */
const SLICES = 2;

const maps = '/api/v1/namespaces/default/configmaps';
const data = (keys: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key-${i}`, `the value ${i}`]));

const names = namesFor('orch');
const asTable = `application/json;as=Table;v=v1;g=${names.group('meta')}`;

/** The object of the only row of a table. */
const objectIn = (table: unknown): unknown => {
  const { rows } = table as {
    readonly rows: readonly { readonly cells: unknown; readonly object: unknown }[];
  };
  assert.deepEqual(
    rows.map(({ cells }) => (cells as unknown[])[0]),
    ['one'],
  );
  return rows[0]?.object;
};
const readTable = (text: Buffer): unknown => objectIn(JSON.parse(text.toString()));

const { schema } = findKind('', 'v1', 'ConfigMap') ?? assert.fail('no kind ConfigMap');

/** The object of an envelope, with the owners as they are in JSON. */
function readProtobuf(bytes: Buffer): unknown {
  const { kind, apiVersion, raw } = openEnvelope(bytes);
  const message = protobufCompiler(names).compile(schema).decode(raw);
  return codecCompiler(names)
    .compile(schema)
    .decode({ kind, apiVersion, ...message }).value;
}

type Sent = (api: RegistryFixture, query: string, accept: string) => ReturnType<RegistryFixture['send']>;

const requests: Readonly<Record<string, Sent>> = {
  'a GET': (api, query, accept) => api.send('GET', `${maps}/one?${query}`, { accept }),
  'a small patch': (api, query, accept) =>
    api.send('PATCH', `${maps}/one?${query}`, {
      accept,
      body: { data: { patched: 'yes' } },
      contentType: 'application/merge-patch+json',
    }),
};

const formats = [
  ['YAML', '', 'application/yaml', KEYS / STEPS_OF_A_PIECE, parseYaml],
  ['CBOR', '', 'application/cbor', SLICES, readCbor],
  ['indented JSON', 'pretty=true', 'application/json', SLICES, (text: Buffer) => JSON.parse(text.toString())],
  ['Protobuf', '', names.mediaTypes.protobuf, KEYS / STEPS_OF_A_PIECE, readProtobuf],
  ['a table', 'includeObject=Object', asTable, SLICES, readTable],
  ['an indented table', 'includeObject=Object&pretty=true', asTable, 2 * SLICES, readTable],
] as const;

/** A request, and the pieces in which it is done: time is read after each of them. */
async function piecesOf(keys: number, send: (api: RegistryFixture) => ReturnType<Sent>) {
  const env = testEnv({ seed: 1 });
  const { clock } = env;
  const now = clock.monotonic.bind(clock);
  let pieces = 0;
  clock.monotonic = () => {
    pieces += 1;
    return now();
  };
  await using api = await RegistryFixture.open({ env, cbor: true });
  assert.equal((await api.post(maps, configMap('one', data(keys)))).status, 201);
  pieces = 0;
  const { status, bytes } = await send(api);
  assert.equal(status, 200);
  return { pieces, bytes };
}

const plains = new Map<Sent, ReturnType<typeof piecesOf>>();

/** The request in plain JSON, with which every format is compared. */
function plainOf(send: Sent): ReturnType<typeof piecesOf> {
  const made = plains.get(send) ?? piecesOf(KEYS, (api) => send(api, '', 'application/json'));
  plains.set(send, made);
  return made;
}

describe('the answer with a large object', () => {
  for (const [what, send] of Object.entries(requests))
    for (const [format, query, accept, least, read] of formats)
      it(`a large object is encoded in pieces as ${format}, which grow in proportion: ${what}`, async () => {
        const plain = await plainOf(send);
        const once = await piecesOf(KEYS, (api) => send(api, query, accept));
        const twice = await piecesOf(2 * KEYS, (api) => send(api, query, accept));
        assert.deepEqual(read(once.bytes), JSON.parse(plain.bytes.toString()));
        assert.ok(once.pieces - plain.pieces >= least, `${plain.pieces} and ${once.pieces} pieces`);
        assert.ok(twice.pieces <= 2.3 * once.pieces, `${once.pieces} and ${twice.pieces} pieces`);
      });

  it('a large object that has been read in Protobuf is not encoded again for the next reader', async () => {
    const get = requests['a GET'] ?? assert.fail('no GET');
    const { protobuf } = names.mediaTypes;
    const once = await piecesOf(KEYS, (api) => get(api, '', protobuf));
    const twice = await piecesOf(KEYS, async (api) => {
      await get(api, '', protobuf);
      return await get(api, '', protobuf);
    });
    assert.ok(twice.bytes.equals(once.bytes));
    assert.ok(twice.pieces <= 1.2 * once.pieces, `${once.pieces} and ${twice.pieces} pieces`);
  });
});

const list: Sent = (api, query, accept) => api.send('GET', `${maps}?${query}`, { accept });
const json = (bytes: Buffer) => JSON.parse(bytes.toString());

/** The formats of lists whose items are not copied, and a comparison of a list with its only item in the same format. */
const lists = [
  [
    'YAML',
    '',
    'application/yaml',
    KEYS / STEPS_OF_A_PIECE,
    (all: Buffer, one: Buffer) =>
      assert.deepEqual((parseYaml(all) as { readonly items: unknown }).items, [parseYaml(one)]),
  ],
  [
    'Protobuf',
    '',
    names.mediaTypes.protobuf,
    KEYS / STEPS_OF_A_PIECE,
    (all: Buffer, one: Buffer) => assert.ok(openEnvelope(all).raw.includes(openEnvelope(one).raw)),
  ],
  [
    'a table',
    'includeObject=Object',
    asTable,
    SLICES,
    (all: Buffer, one: Buffer) => assert.deepEqual(json(all).rows, json(one).rows),
  ],
] as const;

describe('the list with a large object', () => {
  for (const [format, query, accept, least, compare] of lists)
    it(`a large object of a list is encoded in pieces as ${format}, which grow in proportion`, async () => {
      const get = requests['a GET'] ?? assert.fail('no GET');
      const one = await piecesOf(KEYS, (api) => get(api, query, accept));
      const plain = await plainOf(list);
      const once = await piecesOf(KEYS, (api) => list(api, query, accept));
      const twice = await piecesOf(2 * KEYS, (api) => list(api, query, accept));
      compare(once.bytes, one.bytes);
      assert.ok(once.pieces - plain.pieces >= least, `${plain.pieces} and ${once.pieces} pieces`);
      assert.ok(twice.pieces <= 2.3 * once.pieces, `${once.pieces} and ${twice.pieces} pieces`);
    });
});
