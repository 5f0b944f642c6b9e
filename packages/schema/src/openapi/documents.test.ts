import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { bodyChunks, parsed, v2, v3, wholeBody } from '../testing/parsed-documents.ts';
import { widgetApi } from '../testing/widget-api.ts';
import { openApi } from './documents.ts';
import { joinedDocument, packedDocument } from './packed-document.ts';
import { compressedPiece } from './pieces/index.ts';

const allPaths = [
  'api',
  'api/v1',
  'apis',
  'apis/coordination.orch.io',
  'apis/coordination.orch.io/v1',
  'version',
];

describe('documents of OpenAPI', () => {
  it('version 3 has one document for each group version, listed in an index with hashes', async () => {
    const api = openApi(widgetApi());
    assert.deepEqual(api.v3Paths(), allPaths);
    const { paths } = await parsed(api.v3Index());
    assert.deepEqual(Object.keys(paths ?? {}), allPaths);
    for (const path of allPaths) {
      const { hash = '', etag } = (await api.v3(path)) ?? {};
      assert.match(hash, /^[0-9A-F]{64}$/);
      assert.equal(etag, `"${hash}"`);
      assert.deepEqual(paths?.[path], { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` });
    }
    for (const path of ['apis/apps/v1', '__proto__', '']) {
      assert.equal(api.v3(path), undefined);
      assert.equal(api.v3Protobuf(path), undefined);
    }
  });

  it('documents have a content type that clients can parse', async () => {
    const api = openApi(widgetApi());
    for (const document of [api.v2Json(), api.v3Index(), api.v3('api/v1')]) {
      assert.equal((await document)?.contentType, 'application/json');
    }
    for (const document of [api.v2Protobuf(), api.v3Protobuf('api/v1')]) {
      assert.match(
        (await document)?.contentType ?? '',
        /^application\/com\.github\.proto-openapi\.spec\.v[23]\.v1/,
      );
    }
  });

  it('documents are built once for concurrent requests and are equal for equal resources', async () => {
    const api = openApi(widgetApi());
    const [first, second] = await Promise.all([api.v2Json(), api.v2Json(), api.v2Protobuf(), api.v3Index()]);
    assert.equal(first, second);
    assert.equal(first.hash, (await openApi(widgetApi()).v2Json()).hash);
    assert.notEqual(first.hash, (await openApi(widgetApi('kubernetes')).v2Json()).hash);
  });

  it('documents are kept in compressed form', async () => {
    const document = await openApi(widgetApi()).v2Json();
    const body = await wholeBody(document);
    const packed = Buffer.concat([...document.packed.chunks]);
    assert.deepEqual(gunzipSync(packed), body);
    assert.deepEqual([document.packed.length, document.body.length], [packed.length, body.length]);
    assert.ok(packed.length * 4 < body.length);
  });

  it('concurrent readers of a document each receive all of it, as far as they read', async () => {
    const document = await openApi(widgetApi()).v2Json();
    const [first, second] = await Promise.all([wholeBody(document), wholeBody(document)]);
    assert.deepEqual(first, second);
    for await (const chunk of document.body.chunks) {
      assert.deepEqual(chunk, first.subarray(0, chunk.length));
      break;
    }
  });

  it('a document of another server is divided into pieces, so that none of its readers holds the whole of it', async () => {
    const body = Buffer.from(JSON.stringify(Array.from({ length: 200_000 }, (_, i) => `text ${i}`)));
    const document = await packedDocument(body, 'application/json');
    const chunks = await bodyChunks(document);
    assert.ok(Math.max(...chunks.map(({ length }) => length)) <= 256 * 1024);
    assert.deepEqual(Buffer.concat(chunks), body);
    assert.deepEqual(gunzipSync(Buffer.concat([...document.packed.chunks])), body);
  });

  it('a long piece begins with an empty slice, after which its reader waits for a turn', async () => {
    const pieces = [
      await compressedPiece(Buffer.alloc(300_000, 'a')),
      await compressedPiece(Buffer.from('b')),
    ];
    const chunks = await bodyChunks(joinedDocument(pieces, 'text/plain'));
    assert.deepEqual(
      chunks.map(({ length }) => length),
      [0, 256 * 1024, 300_000 - 256 * 1024, 1],
    );
  });

  it('documents of unchanged resources are kept when resources are replaced', async () => {
    const input = widgetApi();
    const before = openApi(input);
    const [widgets] = input.resources;
    assert.ok(widgets !== undefined);
    const kept = await before.v3('apis/coordination.orch.io/v1');
    const [core, whole, index] = await Promise.all([before.v3('api/v1'), before.v2Json(), before.v3Index()]);
    const after = before.replaced([{ ...widgets, verbs: ['get'] }, ...input.resources.slice(1)]);
    assert.equal(await after.v3('apis/coordination.orch.io/v1'), kept);
    assert.notEqual((await after.v3('api/v1'))?.hash, core?.hash);
    assert.notEqual((await after.v2Json()).hash, whole.hash);
    assert.notEqual((await after.v3Index()).hash, index.hash);
    const without = after.replaced([widgets]);
    assert.equal(without.v3('apis/coordination.orch.io/v1'), undefined);
    assert.equal((await without.v3('api/v1'))?.hash, core?.hash);
    // The ones before still serve who holds them.
    assert.equal(await before.v2Json(), whole);
  });

  it('building documents yields to other work', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await openApi(widgetApi()).v2Json();
    isDone = true;
    assert.ok(turns > widgetApi().resources.length, `${turns} turns`);
  });

  it('all references in documents have a definition', async () => {
    for (const document of [await v2(), ...(await Promise.all(allPaths.map((path) => v3(path))))]) {
      const known = document['definitions'] ?? document['components']?.['schemas'] ?? {};
      const references = JSON.stringify(document).matchAll(
        /"\$ref":"#\/(?:definitions|components\/schemas)\/([^"]+)"/g,
      );
      for (const [, name = ''] of references) assert.ok(name in known, name);
    }
  });
});
