import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Work } from '@orch/machinery/concurrency';
import type { JsonObject } from '@orch/machinery/json';
import { readStructural } from '../../structural/read-structural.ts';
import { structuralKind } from '../../structural/structural-kind.ts';
import { wholeBody } from '../../testing/parsed-documents.ts';
import { ObjectMeta } from '../../testing/widget.ts';
import { widgetApi } from '../../testing/widget-api.ts';
import type { Builder } from '../definitions/encoded-definitions.ts';
import { type OpenApi, openApi } from '../documents.ts';
import type { DocumentEncoder } from '../formats/document-encoder.ts';
import { protobufV2 } from '../formats/gnostic-v2.ts';
import { jsonV2 } from '../formats/v2.ts';
import { jsonV3 } from '../formats/v3.ts';
import type { OpenApiResource } from '../input.ts';
import type { OpenApiDocument } from '../packed-document.ts';
import type { Piece } from '../pieces/index.ts';
import { type Contents, CustomContents } from './custom-contents.ts';
import { digestOf } from './section-parts.ts';

const base = widgetApi('kubernetes');
const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
const ROUNDS = 24;
const GROUPS = 3;
/** A number of kinds that needs several pieces. */
const KINDS = 64;

/** A custom resource with one described field. */
function customResource(group: string, number: number, description: string): OpenApiResource {
  const kind = { group, version: 'v1', kind: `Kind${number}` };
  const schema: JsonObject = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer', description } } } },
  };
  function* document(): Work<JsonObject | undefined> {
    yield;
    return schema;
  }
  return {
    ...kind,
    resource: `kinds${number}`,
    namespaced: number % 2 === 0,
    verbs,
    subresources: [],
    schema: structuralKind({
      name: `${group}.v1.${kind.kind}`,
      doc: '',
      metadata: ObjectMeta,
      structural: () => readStructural(schema, base.names),
      custom: { ...kind, listKind: `${kind.kind}List`, document },
    }),
  };
}

/** Numbers below a limit in an order that looks random, the same in every run. */
function numbers(): (limit: number) => number {
  let state = 42;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Adds, replaces or removes a resource; texts have characters of several bytes. */
function changed(
  resources: readonly OpenApiResource[],
  round: number,
  below: (limit: number) => number,
): OpenApiResource[] {
  const at = below(resources.length);
  const replaced = resources[at];
  const next = [...resources];
  const text = `grün ${round} `.repeat(below(40));
  const action = replaced === undefined ? 0 : below(4);
  if (replaced === undefined || action < 2)
    next.splice(at, 0, customResource(`g${below(GROUPS)}.example.com`, 1000 + round, text));
  else if (action === 2)
    next[at] = customResource(replaced.group, Number(replaced.resource.slice('kinds'.length)), text);
  else next.splice(at, 1);
  return next;
}

/** Everything that clients receive of the documents of custom resources. */
async function answersOf(api: OpenApi): Promise<readonly unknown[]> {
  const documents: (readonly [string, OpenApiDocument | undefined])[] = [
    ['v2', await api.v2Json()],
    ['v2 in Protobuf', await api.v2Protobuf()],
    ['v3', await api.v3Index()],
  ];
  for (const path of api.v3Paths().filter((one) => one.includes('example.com')))
    documents.push([path, await api.v3(path)]);
  const answers = [];
  for (const [path, document] of documents) {
    const packed = Buffer.concat([...(document?.packed.chunks ?? [])]);
    answers.push([path, document?.etag, packed.toString('base64'), String(await wholeBody(document))]);
  }
  return answers;
}

/** Contents of resources, and the number of paths and definitions that were encoded for them. */
function counted(): { readonly contents: CustomContents; readonly encoded: () => number } {
  let encoded = 0;
  const counting = (encoder: DocumentEncoder): DocumentEncoder => ({
    ...encoder,
    path(path) {
      encoded++;
      return encoder.path(path);
    },
    definition(name, definition) {
      encoded++;
      return encoder.definition(name, definition);
    },
  });
  const v2: Builder['encoders'] = [
    counting(jsonV2(base, base.names)),
    counting(protobufV2(base, base.names)),
  ];
  const v3: Builder['encoders'] = [counting(jsonV3(base, base.names))];
  const structs = { v2: new Map(), v3: new Map() };
  const contents = new CustomContents({ input: base, encoders: { v2, v3 }, structs, digestOf });
  return { contents, encoded: () => encoded };
}

const piecesOf = ({ encoded }: Contents): readonly Piece[] =>
  encoded.flatMap(({ paths, definitions }) => [...paths, ...definitions]);

/** The costs of a change of one kind in a group of `count` kinds. */
async function costOfChange(count: number): Promise<{ readonly encodings: number; readonly bytes: number }> {
  const { contents, encoded } = counted();
  const resources = Array.from({ length: count }, (_, i) => customResource('g.example.com', 1000 + i, 'a'));
  const before = new Set(piecesOf(await contents.of({ discovery: [], resources }, 'v2')));
  const encodedBefore = encoded();
  const next = resources.with(7, customResource('g.example.com', 1007, 'b'));
  const after = piecesOf(await contents.of({ discovery: [], resources: next }, 'v2'));
  const joined = after.filter((piece) => !before.has(piece));
  return {
    encodings: encoded() - encodedBefore,
    bytes: joined.reduce((sum, { length }) => sum + length, 0),
  };
}

describe('contents of custom resources in the documents', () => {
  it('documents after many changes equal documents that are made of the same resources at once', async () => {
    const below = numbers();
    let resources = Array.from({ length: 20 }, (_, i) => customResource('g0.example.com', 1000 - i, ''));
    let api = openApi({ ...base, resources: [...base.resources, ...resources] });
    for (let round = 0; round < ROUNDS; round++) {
      resources = changed(resources, round, below);
      const all = [...base.resources, ...resources];
      api = api.replaced(all);
      // Some changes are published together.
      if (below(3) === 0) continue;
      const again = openApi({ ...base, resources: all });
      assert.deepEqual(await answersOf(api), await answersOf(again), `round ${round}`);
    }
  });

  it('a resource without paths leaves no gap between those of others', async () => {
    const [first, last] = [2, 6].map((number) => customResource('g.example.com', number, 'a'));
    assert.ok(first !== undefined && last !== undefined);
    const silent = { ...customResource('g.example.com', 4, 'a'), verbs: [] };
    const api = openApi({ ...base, resources: [...base.resources, first, silent, last] });
    const { paths } = JSON.parse(String(await wholeBody(await api.v2Json()))) as { paths: object };
    for (const [number, isThere] of [
      [2, true],
      [4, false],
      [6, true],
    ] as const)
      assert.equal(`/apis/g.example.com/v1/kinds${number}` in paths, isThere);
  });

  it('a change of a kind encodes that kind and joins it with a few others, however many kinds its group has', async () => {
    const small = await costOfChange(KINDS);
    const large = await costOfChange(2 * KINDS);
    assert.ok(small.encodings > 0);
    assert.deepEqual(large, small);
  });

  it('a resource that cannot be read fails the documents until it is replaced, and others are not encoded again', async () => {
    const { contents, encoded } = counted();
    const [good, bad] = [2, 4].map((number) => customResource('g.example.com', number, 'a'));
    const custom = bad?.schema.custom;
    assert.ok(good !== undefined && bad !== undefined && custom !== undefined);
    function* document(): Work<JsonObject | undefined> {
      yield;
      throw new Error('unreadable');
    }
    const unreadable = { ...bad, schema: { ...bad.schema, custom: { ...custom, document } } };
    const resources = [good, unreadable];
    const fails = (): Promise<void> =>
      assert.rejects(contents.of({ discovery: [], resources }, 'v3'), /unreadable/);
    await fails();
    const once = encoded();
    await fails();
    await contents.of({ discovery: [], resources: [good] }, 'v3');
    assert.equal(encoded(), once);
    await contents.of({ discovery: [], resources: [good, bad] }, 'v3');
    assert.equal(encoded(), 2 * once);
  });
});
