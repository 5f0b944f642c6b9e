import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readGnosticV2 } from '../../testing/gnostic-v2-reader.ts';
import { type Json, parsed, wholeBody } from '../../testing/parsed-documents.ts';
import { widgetApi } from '../../testing/widget-api.ts';
import { openApi } from '../documents.ts';
import { ForeignPart, type ForeignSchemas } from './foreign-part.ts';

type Definitions = Readonly<Record<string, unknown>>;

const refTo = (name: string): object => ({ $ref: `#/definitions/${name}` });
const objectOf = (properties: Definitions): object => ({ type: 'object', properties });

/** The document of a server about `v1` of a group: a path that refers to `root`. */
async function server(group: string, definitions: Definitions, root = 'Root'): Promise<ForeignSchemas> {
  const paths = {
    [`/apis/${group}/v1/things`]: { get: { responses: { 200: { description: 'OK', schema: refTo(root) } } } },
  };
  const body = Buffer.from(JSON.stringify({ swagger: '2.0', paths, definitions }));
  return { path: `apis/${group}/v1`, v3: undefined, v2: await ForeignPart.of(body, `/apis/${group}/v1`) };
}

/** Definitions that only the servers add, and what their paths refer to. */
async function joined(...servers: readonly ForeignSchemas[]) {
  const own = (await parsed(openApi(widgetApi()).v2Json())).definitions ?? {};
  const { definitions = {}, paths = {} }: Json = await parsed(openApi(widgetApi(), servers).v2Json());
  for (const name of Object.keys(own)) assert.deepEqual(definitions[name], own[name]);
  const added = Object.fromEntries(Object.entries(definitions).filter(([name]) => own[name] === undefined));
  const roots = servers.map(({ path }) => {
    const ref = paths[`/${path}/things`]?.['get']?.['responses']?.['200']?.['schema']?.['$ref'];
    return String(ref).slice('#/definitions/'.length);
  });
  return { added, roots, own };
}

const leaf = (description: string): object => ({ type: 'string', description });
const root = objectOf({ leaf: refTo('Leaf') });

describe('definitions of several servers in OpenAPI version 2', () => {
  it('equal definitions of two servers are published once', async () => {
    const definitions = { Root: root, Leaf: leaf('one') };
    const { added, roots } = await joined(await server('a.b', definitions), await server('c.d', definitions));
    assert.deepEqual(added, definitions);
    assert.deepEqual(roots, ['Root', 'Root']);
  });

  it('a definition that refers to a renamed one is renamed, though its content is the same', async () => {
    const { added, roots } = await joined(
      await server('a.b', { Root: root, Leaf: leaf('one') }),
      await server('c.d', { Root: root, Leaf: leaf('two') }),
    );
    assert.deepEqual(roots, ['Root', 'Root_v2']);
    assert.deepEqual(added, {
      ...{ Root: root, Leaf: leaf('one') },
      ...{ Root_v2: objectOf({ leaf: refTo('Leaf_v2') }), Leaf_v2: leaf('two') },
    });
  });

  it('a third server shares the renamed definitions of the second', async () => {
    const { added, roots } = await joined(
      await server('a.b', { Root: leaf('other'), Leaf: leaf('one') }),
      await server('c.d', { Root: root, Leaf: leaf('two') }),
      await server('e.f', { Root: root, Leaf: leaf('two') }),
    );
    assert.deepEqual(roots, ['Root', 'Root_v2', 'Root_v2']);
    assert.deepEqual(Object.keys(added), ['Leaf', 'Root', 'Root_v2']);
  });

  it('definitions that are equal to those of this server are shared with it', async () => {
    const { own } = await joined();
    const name = Object.keys(own).find((one) => one.endsWith('.ListMeta')) ?? '';
    const other = await server('a.b', { Root: objectOf({ m: refTo(name) }), [name]: leaf('other') });
    const equal = await server('c.d', { Top: objectOf({ m: refTo(name) }), [name]: own[name] }, 'Top');
    const { added } = await joined(other, equal);
    assert.deepEqual(Object.keys(added).sort(), ['Root', 'Top', `${name}_v2`].sort());
    assert.deepEqual(added['Root'], objectOf({ m: refTo(`${name}_v2`) }));
    assert.deepEqual(added['Top'], objectOf({ m: refTo(name) }));
  });

  it('recursive definitions of two servers are shared, and renamed together when one of them differs', async () => {
    const cycle = (description: string) => ({
      Root: objectOf({ next: refTo('Leaf') }),
      Leaf: { ...objectOf({ back: refTo('Root') }), description },
    });
    const { roots } = await joined(
      await server('a.b', cycle('one')),
      await server('c.d', cycle('one')),
      await server('e.f', cycle('two')),
    );
    assert.deepEqual(roots, ['Root', 'Root', 'Root_v2']);
  });

  it('a name that is free in the document and used by the server is not given to another definition', async () => {
    const { added } = await joined(
      await server('a.b', { Root: leaf('one') }),
      await server('c.d', { Root: objectOf({ a: refTo('Root_v2') }), Root_v2: leaf('own') }),
    );
    assert.deepEqual(added['Root_v2'], leaf('own'));
    assert.deepEqual(added['Root_v3'], objectOf({ a: refTo('Root_v2') }));
  });

  it('chains of 20,000 definitions of which the last differs are all renamed', async () => {
    const chain = (last: string): Definitions => ({
      Root: refTo('D0'),
      ...Object.fromEntries(
        Array.from({ length: 20_000 }, (_, i) => [
          `D${i}`,
          i === 19_999 ? leaf(last) : objectOf({ next: refTo(`D${i + 1}`) }),
        ]),
      ),
    });
    const { added } = await joined(await server('a.b', chain('one')), await server('c.d', chain('two')));
    assert.equal(Object.keys(added).length, 2 * 20_001);
  });
});

describe('version 2 documents of other servers that are malformed', () => {
  it('numbers that the encodings cannot hold are left out, and exact ones are kept', async () => {
    const numbers = (text: string): string => `"minLength": ${text}, "minimum": ${text}, "default": ${text}`;
    const texts = ['1e400', '1e20', '-1', '1.5', '9223372036854775807', '18446744073709551616', '7'];
    const definitions = texts.map((text, i) => `"D${i}": { ${numbers(text)} }`);
    const refs = texts.map((_, i) => `"f${i}": { "$ref": "#/definitions/D${i}" }`);
    const body = `{ "paths": { "/apis/a.b/v1/x": { "get": { "responses": { "200": { "schema":
      { "properties": { ${refs} } } } } } } }, "definitions": { ${definitions} } }`;
    const part = await ForeignPart.of(Buffer.from(body), '/apis/a.b/v1');
    const api = openApi(widgetApi(), [{ path: 'apis/a.b/v1', v3: undefined, v2: part }]);
    const text = String(await wholeBody(await api.v2Json()));
    assert.match(text, /"D4":\{"minimum":9223372036854775807,"default":9223372036854775807\}/);
    assert.match(text, /"D6":\{"minLength":7,/);
    assert.doesNotMatch(text, /"minLength":[^7]/);
    assert.ok(readGnosticV2(await wholeBody(await api.v2Protobuf())));
  });

  const names = [
    ...['type', 'items', 'properties', '$ref', 'allOf', 'required', 'enum', 'default', 'format', 'x-a'],
    ...['minLength', 'maximum', 'parameters', 'responses', 'get', 'schema', 'in', 'name', '__proto__'],
    ...['additionalProperties', 'description', 'uniqueItems', 'tags', '200', 'constructor', 'multipleOf'],
  ];
  const scalars = [null, true, 0, -1, 1.5, 1e300, '', 'body', 'query', '\ud800', '#/definitions/Root', 'x'];
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 7, withCrossShrink: true },
      fc.constantFrom<unknown>(...scalars),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
    ),
  }));

  it('documents with values of any types leave both encodings of this server complete', async () => {
    const own = Object.keys((await parsed(openApi(widgetApi()).v2Json())).paths ?? {});
    await fc.assert(
      fc.asyncProperty(value, value, value, async (item, parameters, root) => {
        const paths = { '/apis/a.b/v1/x': item, '/apis/a.b/v1/y': { get: item, parameters } };
        const document = { paths, parameters, definitions: { Root: root, ['__proto__']: root } };
        const part = await ForeignPart.of(Buffer.from(JSON.stringify(document)), '/apis/a.b/v1');
        const api = openApi(widgetApi(), [{ path: 'apis/a.b/v1', v3: undefined, v2: part }]);
        const published = Object.keys((await parsed(api.v2Json())).paths ?? {});
        assert.deepEqual(published, [...own, '/apis/a.b/v1/x', '/apis/a.b/v1/y']);
        assert.ok(readGnosticV2(await wholeBody(await api.v2Protobuf())));
      }),
    );
  });
});
