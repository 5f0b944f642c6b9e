import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findKind } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { parseYaml } from '@orch/machinery/yaml';
import { codecCompiler, openEnvelope, protobufCompiler } from '@orch/schema';
import { openDiscovery } from '../testing/index.ts';

const names = namesFor('orch');
const protobuf = names.mediaTypes.protobuf;
const codecs = codecCompiler(names);
const messages = protobufCompiler(names);
const paths = ['/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1'];

describe('encodings of discovery documents', () => {
  it('discovery documents in Protobuf equal those in JSON', async () => {
    await using api = await openDiscovery();
    for (const path of paths) {
      const { status, headers, bytes } = await api.get(path, {
        accept: `${protobuf},application/json;q=0.9`,
      });
      assert.deepEqual([status, headers['Content-Type']], [200, protobuf], path);
      const { kind, apiVersion, raw } = openEnvelope(bytes);
      const { schema } = findKind('meta', 'v1', kind) ?? assert.fail(`no kind ${kind}`);
      const message = messages.compile(schema).decode(raw);
      const typeMeta = apiVersion === '' ? { kind } : { kind, apiVersion };
      const decoded = codecs.compile(schema).decode({ ...typeMeta, ...message }).value;
      const { json } = await api.get(path);
      assert.deepEqual(decoded, codecs.compile(schema).decode(json).value, path);
    }
  });

  it('discovery documents in YAML equal those in JSON', async () => {
    await using api = await openDiscovery();
    for (const path of paths) {
      const yaml = await api.get(path, { accept: 'application/yaml' });
      assert.equal(yaml.headers['Content-Type'], 'application/yaml');
      assert.deepEqual(parseYaml(Buffer.from(yaml.text)), (await api.get(path)).json, yaml.text);
    }
  });

  it('discovery in one document takes seats by the bytes of the last one', async () => {
    await using api = await openDiscovery();
    const aggregated = `application/json;g=${names.group('apidiscovery')};v=v2;as=APIGroupDiscoveryList`;
    for (const path of ['/api', '/apis']) {
      const route = api.registry.routes.find((one) => one.path === path);
      const bytesFor = (accept: string) => route?.answerBytes?.({ headers: { accept } });
      assert.equal(bytesFor(aggregated), 0, 'the size is not known yet');
      const { bytes } = await api.get(path, { accept: aggregated });
      assert.deepEqual([bytesFor(aggregated), bytesFor('application/json')], [bytes.length, 0]);
    }
  });

  it('discovery documents are not available as Protobuf tables', async () => {
    await using api = await openDiscovery();
    const { status, headers } = await api.get('/api/v1', {
      accept: `${protobuf};as=Table;g=meta.orch.io;v=v1`,
    });
    assert.equal(status, 406);
    assert.equal(headers['Content-Type'], 'application/json');
  });
});
