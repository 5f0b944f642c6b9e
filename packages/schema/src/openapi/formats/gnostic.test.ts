import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readGnosticV2 } from '../../testing/gnostic-v2-reader.ts';
import { readGnosticV3 } from '../../testing/gnostic-v3-reader.ts';
import { wholeBody } from '../../testing/parsed-documents.ts';
import { widgetApi } from '../../testing/widget-api.ts';
import { openApi } from '../documents.ts';

describe('the Protobuf encoding of OpenAPI documents', () => {
  const api = openApi(widgetApi());

  it('version 2 in Protobuf has the content of the JSON encoding', async () => {
    const [protobuf, json] = await Promise.all([api.v2Protobuf(), api.v2Json()]);
    assert.deepEqual(readGnosticV2(await wholeBody(protobuf)), JSON.parse(String(await wholeBody(json))));
  });

  for (const path of api.v3Paths()) {
    it(`version 3 in Protobuf has the content of the JSON encoding: ${path}`, async () => {
      const [protobuf, json] = await Promise.all([api.v3Protobuf(path), api.v3(path)]);
      assert.ok(protobuf !== undefined && json !== undefined);
      assert.deepEqual(readGnosticV3(await wholeBody(protobuf)), JSON.parse(String(await wholeBody(json))));
    });
  }
});
