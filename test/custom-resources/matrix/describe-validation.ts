import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeYaml } from '@orch/machinery/yaml';
import type { ApiResponse } from '@orch/testkit';
import { contentTypes, merged, ok, refused, type Tested, warningsOf } from './tested.ts';
import type { Json } from './tested-kinds.ts';

type Send = (query: string) => Promise<ApiResponse>;

const bogus = { spec: { bogus: 1 }, more: true };

/** All ways to send a body with unknown fields to a kind, for an object that exists. */
function waysToSend(
  tested: Tested,
  full: (name: string) => Json,
): readonly (readonly [title: string, sendTo: (made: Json) => Send])[] {
  const { collection, kind } = tested;
  const pathOf = ({ metadata }: Json): string => tested.path(metadata.name);
  const dry = `${collection}?dryRun=All`;
  const operations = Object.keys(bogus).map((name) => ({
    op: 'add',
    path: name === 'spec' ? '/spec/bogus' : `/${name}`,
    value: 1,
  }));
  const yaml = String(encodeYaml(full('unsent')));
  return [
    ['POST', () => (query) => tested.api.post(`${dry}&${query}`, full('unsent'))],
    [
      'POST of YAML',
      () => (query) => tested.api.post(`${dry}&${query}`, yaml, { contentType: 'application/yaml' }),
    ],
    [
      'PUT',
      (made) => (query) => {
        const { name, resourceVersion } = made.metadata;
        const body = merged(full(name), { metadata: { resourceVersion } });
        return tested.api.put(`${pathOf(made)}?${query}`, body);
      },
    ],
    [
      'merge PATCH',
      (made) => (query) => tested.patch(`${pathOf(made)}?${query}`, merged(kind.change('c'), bogus)),
    ],
    ['JSON PATCH', (made) => (query) => tested.patch(`${pathOf(made)}?${query}`, operations, 'json')],
  ];
}

/** Reports of fields that the schema does not have, or that a body has twice, for every way to send a body. */
export function describeValidation(tested: Tested): void {
  describe('field validation', () => {
    const full = (name: string): Json => merged(tested.changed(name, 'b'), bogus);
    const expected = ['unknown field "more"', 'unknown field "spec.bogus"'];

    for (const [title, sendTo] of waysToSend(tested, full)) {
      it(`unknown fields of a ${title} are dropped, reported as warnings or refused, as fieldValidation requests`, async () => {
        const name = `fields-${title.toLowerCase().replaceAll(' ', '-')}`;
        const send = (query: string): Promise<ApiResponse> =>
          tested.read(name).then((made) => sendTo(made)(query));
        await tested.create(name);
        const before = await tested.read(name);
        const isPatch = title.endsWith('PATCH');
        const [code, reason] = isPatch ? ([422, 'Invalid'] as const) : ([400, 'BadRequest'] as const);
        const strict = refused(await send('fieldValidation=Strict'), code, reason);
        for (const text of expected) assert.ok(strict.message.includes(text), strict.message);
        assert.deepEqual(await tested.read(name), before);
        const ignored = await send('fieldValidation=Ignore');
        assert.deepEqual(warningsOf(ignored), []);
        const warned = await send('fieldValidation=Warn');
        assert.deepEqual([...warningsOf(warned)].sort(), expected);
        for (const answer of [ignored, warned]) {
          const object = ok(answer, title.startsWith('POST') ? 201 : 200);
          assert.deepEqual([object.more, object.spec.bogus], [undefined, undefined]);
        }
        const other = await send('fieldValidation=Sometimes');
        refused(other, 422, 'Invalid');
      });
    }

    it('unknown fields of an applied configuration are refused in every mode', async () => {
      for (const mode of ['Strict', 'Warn', 'Ignore']) {
        const path = `${tested.path('applied-fields')}?fieldManager=m&fieldValidation=${mode}`;
        const answer = await tested.patch(path, full('applied-fields'), 'apply');
        const { message } = refused(answer, 400, 'BadRequest');
        for (const field of ['more', 'spec.bogus'])
          assert.ok(message.includes(`${field}: field not declared in schema`), `${mode}: ${message}`);
      }
    });

    it('fields that a body has twice are reported or refused', async () => {
      const text = JSON.stringify(tested.changed('twice', 'b')).replace(
        '"spec":{',
        '"spec":{"paused":true,"paused":false,',
      );
      const send = (mode: string): Promise<ApiResponse> =>
        tested.api.post(`${tested.collection}?dryRun=All&fieldValidation=${mode}`, text);
      const strict = refused(await send('Strict'), 400, 'BadRequest');
      assert.match(strict.message, /duplicate field "spec\.paused"/);
      const warned = await send('Warn');
      assert.ok(warningsOf(warned).includes('duplicate field "spec.paused"'), warningsOf(warned).join());
      assert.deepEqual(warningsOf(await send('Ignore')), []);
    });

    it('unknown fields of /status are reported as those of the object', async () => {
      if (!tested.kind.hasSubresources) return;
      await tested.create('status-fields');
      const path = `${tested.path('status-fields', 'status')}?fieldValidation=`;
      const body = { status: { replicas: 1, bogus: 1 } };
      refused(await tested.patch(`${path}Strict`, body), 422, 'Invalid');
      const warned = await tested.patch(`${path}Warn`, body);
      assert.deepEqual(warningsOf(warned), ['unknown field "status.bogus"']);
      assert.equal(ok(warned).status.bogus, undefined);
    });

    it('values of a wrong type are refused with the field', async () => {
      if (!tested.kind.isCustom) return;
      const wrong = merged(tested.object('wrong'), { spec: { replicas: 'many' } });
      // The path of the definition, which a Scale could not show either.
      const ofScale = tested.kind.hasSubresources ? [['FieldValueInvalid', '.spec.replicas']] : [];
      const { details } = refused(await tested.api.post(tested.collection, wrong), 422, 'Invalid');
      assert.deepEqual(
        details.causes.map(({ reason, field }: Json) => [reason, field]),
        [['FieldValueTypeInvalid', 'spec.replicas'], ...ofScale],
      );
      await tested.create('typed');
      refused(await tested.patch(tested.path('typed'), { spec: { replicas: 'many' } }), 422, 'Invalid');
    });

    it('bodies as Protobuf are accepted of built-in kinds only', async () => {
      if (!tested.kind.isCustom) return;
      const { protobuf } = tested.names.mediaTypes;
      const options = { contentType: protobuf };
      const { message } = refused(
        await tested.api.post(tested.collection, 'k8s\u0000', options),
        415,
        'UnsupportedMediaType',
      );
      assert.match(message, /accepted media types include: application\/json, application\/yaml$/);
      await tested.create('no-binary');
      refused(
        await tested.api.put(tested.path('no-binary'), 'k8s\u0000', options),
        415,
        'UnsupportedMediaType',
      );
      assert.ok(!message.includes(contentTypes.apply));
    });
  });
}
