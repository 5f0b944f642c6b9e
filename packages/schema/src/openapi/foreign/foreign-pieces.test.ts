import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { widgetApi } from '../../testing/widget-api.ts';
import { jsonV2 } from '../formats/v2.ts';
import { Gzip } from '../pieces/index.ts';
import { digestOf } from '../sections/section-parts.ts';
import { ForeignPart } from './foreign-part.ts';
import { ForeignPieces } from './foreign-pieces.ts';

const input = widgetApi();
const encoder = jsonV2(input, input.names);
const leaf = { type: 'string' } as const;

/** The part of a server with one path that refers to `Leaf`. */
function partOf(group: string): Promise<ForeignPart> {
  const schema = { $ref: '#/definitions/Leaf' };
  const get = { responses: { 200: { description: 'OK', schema } } };
  const document = { paths: { [`/apis/${group}/v1/things`]: { get } }, definitions: { Leaf: leaf } };
  return ForeignPart.of(Buffer.from(JSON.stringify(document)), `/apis/${group}/v1`);
}

describe('what other servers add to a document', () => {
  it('the part of other servers is kept while their parts and the definitions of this server with the same names stay', async () => {
    const pieces = new ForeignPieces();
    const [a, b] = [await partOf('a.b'), await partOf('c.d')];
    const own = new Map([['Other', 'digest']]);
    const joined = (...parts: ForeignPart[]) => pieces.of(parts, encoder, (name) => own.get(name));
    const textOf = ({ definitions }: Awaited<ReturnType<typeof joined>>): string =>
      String(gunzipSync(Buffer.concat([...new Gzip(definitions)])));
    const first = await joined(a, b);
    assert.equal(textOf(first), `"Leaf":${JSON.stringify(leaf)}`);
    own.set('Other', 'changed');
    own.set('Further', 'added');
    assert.equal(await joined(a, b), first);
    own.set('Leaf', digestOf(encoder.definition('Leaf', leaf)));
    assert.equal(textOf(await joined(a, b)), '', 'the definition of this server is the same');
    own.set('Leaf', 'another');
    assert.equal(textOf(await joined(a, b)), `"Leaf_v2":${JSON.stringify(leaf)}`);
    own.delete('Leaf');
    const again = await joined(a, b);
    assert.equal(textOf(again), textOf(first));
    assert.notEqual((await joined(a)).paths[0]?.length, again.paths[0]?.length, 'a server is gone');
  });
});
