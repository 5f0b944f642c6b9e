import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { numberFromText } from '@orch/machinery/json';
import { crontab, crontabs, schemaOf, v1, withCronTabs } from '../testing/crontabs.ts';

const { preserveUnknownFields } = namesFor('orch').schemaExtensions;
const LARGEST = '9223372036854775807';
const ODD = '-9007199254740993';

/** Numbers that a double cannot represent, in a declared field and in one with any content. */
const schema = schemaOf({
  spec: {
    type: 'object',
    properties: {
      cronSpec: { type: 'string' },
      count: { type: 'integer', format: 'int64' },
      limit: { type: 'integer', format: 'int64', default: numberFromText(LARGEST) },
      free: { type: 'object', [preserveUnknownFields]: true },
    },
  },
});
const version = { ...v1, schema, subresources: {} };
const columns = [{ name: 'Count', type: 'integer', jsonPath: '.spec.count' }];
const exact = { count: numberFromText(LARGEST), free: { odd: numberFromText(ODD) } };

describe('64-bit numbers of custom objects', () => {
  const inOrder = new RegExp(`"count":${LARGEST},.*"odd":${ODD}.*"limit":${LARGEST}`);

  it('64-bit numbers of custom objects are exact in every answer and table, and after writes of other fields', async () => {
    await using api = await withCronTabs({}, [{ ...version, additionalPrinterColumns: columns }]);
    const created = await api.post(crontabs(), { ...crontab('a'), spec: { cronSpec: '*', ...exact } });
    assert.equal(created.status, 201, created.text);
    const patched = await api.patch(crontabs('a'), { spec: { cronSpec: '1' } });
    const applied = await api.send('PATCH', `${crontabs('a')}?fieldManager=m`, {
      body: { ...crontab('a'), spec: { free: { more: numberFromText(ODD) } } },
      contentType: 'application/apply-patch+yaml',
    });
    const added = await api.send('PATCH', crontabs('a'), {
      body: [{ op: 'test', path: '/spec/count', value: numberFromText(LARGEST) }],
      contentType: 'application/json-patch+json',
    });
    for (const { status, text } of [
      patched,
      applied,
      added,
      await api.get(crontabs('a')),
      await api.get(crontabs()),
    ]) {
      assert.equal(status, 200, text);
      assert.match(text, inOrder);
    }
    assert.match(applied.text, new RegExp(`"more":${ODD}`));
    const table = await api.send('GET', crontabs(), {
      accept: `application/json;as=Table;v=v1;g=${api.names.group('meta')}`,
    });
    assert.match(table.text, new RegExp(`"cells":\\["a",${LARGEST}`), table.text);
  });

  it('64-bit numbers of custom objects do not disturb answers with metadata only', async () => {
    await using api = await withCronTabs({}, [version]);
    await api.post(crontabs(), { ...crontab('a'), spec: { cronSpec: '*', ...exact } });
    const metadataOnly = (kind: string): string =>
      `application/json;as=${kind};v=v1;g=${api.names.group('meta')}`;
    const one = await api.send('GET', crontabs('a'), { accept: metadataOnly('PartialObjectMetadata') });
    const list = await api.send('GET', crontabs(), { accept: metadataOnly('PartialObjectMetadataList') });
    for (const [{ json, status, text }, kind] of [
      [one, 'PartialObjectMetadata'],
      [list, 'PartialObjectMetadataList'],
    ] as const) {
      assert.deepEqual([status, json.kind], [200, kind], text);
      const found = kind === 'PartialObjectMetadata' ? json : json.items[0];
      assert.equal(found.metadata.name, 'a');
      assert.deepEqual(Object.keys(found).sort(), ['apiVersion', 'kind', 'metadata']);
    }
  });

  it('64-bit numbers of custom objects are compared exactly: a number beyond 64 bits, and a test of a neighbour, are refused', async () => {
    await using api = await withCronTabs({}, [version]);
    const post = (count: string) =>
      api.post(crontabs(), { ...crontab('a'), spec: { count: numberFromText(count) } });
    assert.equal((await post('9223372036854775808')).status, 422);
    assert.equal((await post(LARGEST)).status, 201);
    const near = await api.send('PATCH', crontabs('a'), {
      body: [{ op: 'test', path: '/spec/count', value: numberFromText('9223372036854775806') }],
      contentType: 'application/json-patch+json',
    });
    assert.equal(near.status, 422, near.text);
  });
});
