import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Exchange } from './exchange.ts';
import { flagsOfPublished, PublishedDocuments } from './published-documents.ts';
import { compareDiscovery, compareOpenApi } from './served-resources.ts';

const thing = {
  size: { 'x-kubernetes-list-type': 'set' },
  uses: { type: 'array', items: { type: 'string', enum: ['a', 'a', 'b'] } },
};

const files = {
  'discovery/apis.json': {
    groups: [{ name: 'a.example', versions: [{ groupVersion: 'a.example/v1', version: 'v1' }] }],
  },
  'discovery/apis__a.example__v1.json': { resources: [{ name: 'things', kind: 'Thing', verbs: ['get'] }] },
  'discovery/aggregated_v2.json': { items: [] },
  'openapi-spec/v3/apis__a.example__v1_openapi.json': {
    components: { schemas: { Thing: { properties: thing } } },
  },
};

/** Documents in a folder that is removed. */
function published(): PublishedDocuments & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'orch-published-'));
  for (const [path, document] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(document));
  }
  return Object.assign(new PublishedDocuments(folder), {
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  });
}

const openApi = '/openapi/v3/apis/a.example/v1';

describe('published documents', () => {
  it('published documents are compared with the answers of a server, and other answers are not', async () => {
    using reference = published();
    const server = {
      send: async (_method: string, path: string, headers: Readonly<Record<string, string>>) => {
        const answer = await reference.send('GET', path, headers);
        if (path !== openApi) return answer ?? { status: 200, text: '{"own":1}', json: { own: 1 } };
        return {
          status: 200,
          text: '',
          json: { components: { schemas: { Thing: { properties: { size: {}, uses: { enum: ['a'] } } } } } },
        };
      },
    };
    const exchange = new Exchange({ reference, server });
    const resources = await compareDiscovery(exchange);
    await compareOpenApi(exchange);
    assert.deepEqual(
      resources.map(({ base, name }) => `${base}/${name}`),
      ['/apis/a.example/v1/things'],
    );
    assert.deepEqual(
      exchange.differences.map(({ request, path, reference: expected }) => [request, path, expected]),
      [
        [`GET ${openApi}`, 'body.schemas.Thing.fields.size.x-kubernetes-list-type', 'set'],
        [`GET ${openApi}`, 'body.schemas.Thing.fields.uses.values[b]', 'b'],
      ],
    );
  });

  it('a server that is compared with published documents has every version and alpha feature', () => {
    assert.match(flagsOfPublished('1.24').join(' '), /api\/all=true .*AllAlpha=true,OpenAPIEnums=false$/);
    assert.match(flagsOfPublished('1.36').join(' '), /AllAlpha=true,AllBeta=true,OpenAPIEnums=false$/);
  });
});
