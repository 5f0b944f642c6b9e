import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { numberFromText } from '@orch/machinery/json';
import type { Answered } from '@orch/registry/testing';
import { crontab, crontabs, schemaOf, v1, withCronTabs } from '../testing/crontabs.ts';
import type { CustomResourcesFixture } from '../testing/custom-resources-fixture.ts';

const { listType, listMapKeys, validations } = namesFor('orch').schemaExtensions;
const number = numberFromText;

/** The least whole number that no double represents; doubles round it to the one before it, `BEFORE`. */
const EXACT = '9007199254740993';
const BEFORE = '9007199254740992';
const AFTER = '9007199254740994';

const int64 = { type: 'integer', format: 'int64' };
const version = (spec: object): typeof v1 => ({
  ...v1,
  schema: schemaOf({ spec: { type: 'object', properties: spec } }),
});

const write = (api: CustomResourcesFixture, spec: object, name = 'a'): Promise<Answered> =>
  api.post(crontabs(), { ...crontab(name), spec });

const causesOf = ({ json }: Answered): readonly string[] =>
  (json.details?.causes ?? []).map(({ field }: { readonly field: string }) => field);

describe('rules over numbers that no double holds', () => {
  for (const [title, constraint, accepted, refused, field = 'spec.count'] of [
    ['enum', { enum: [number(EXACT)] }, [EXACT], [BEFORE, AFTER]],
    // Bounds in definitions are doubles.
    ['minimum', { minimum: number(AFTER) }, [AFTER], [EXACT, BEFORE]],
    ['maximum', { maximum: number(BEFORE) }, [BEFORE], [EXACT, AFTER]],
    [
      'exclusiveMinimum',
      { minimum: number(BEFORE), exclusiveMinimum: true },
      [EXACT],
      [BEFORE, '-9223372036854775808'],
    ],
    ['exclusiveMaximum', { maximum: number(AFTER), exclusiveMaximum: true }, [EXACT, BEFORE], [AFTER]],
    ['multipleOf', { multipleOf: 3 }, [EXACT], [BEFORE, AFTER]],
    ['not', { not: { enum: [number(EXACT)] } }, [BEFORE, AFTER], [EXACT], '<nil>'],
    [
      'a validation rule',
      { [validations]: [{ rule: `self == ${EXACT} || self - 1 == ${EXACT}` }] },
      [EXACT, AFTER],
      [BEFORE],
    ],
  ] as const)
    it(`${title} tells neighbouring numbers apart`, async () => {
      await using api = await withCronTabs({}, [version({ count: { ...int64, ...constraint } })]);
      for (const count of accepted) {
        const answer = await write(api, { count: number(count) }, `n-${count.replace('-', '')}`);
        assert.equal(answer.status, 201, answer.text);
        assert.ok(answer.text.includes(`"count":${count}`), answer.text);
      }
      for (const count of refused) {
        const answer = await write(api, { count: number(count) });
        assert.equal(answer.status, 422, `${count}: ${answer.text}`);
        assert.deepEqual(causesOf(answer), [field], answer.text);
      }
    });

  it('a transition rule sees the change from one number to its neighbour', async () => {
    const rule = { rule: 'self == oldSelf', message: 'is immutable' };
    await using api = await withCronTabs({}, [version({ count: { ...int64, [validations]: [rule] } })]);
    assert.equal((await write(api, { count: number(EXACT) })).status, 201);
    const same = await api.patch(crontabs('a'), {
      spec: { count: number(EXACT) },
      metadata: { labels: { a: 'b' } },
    });
    assert.equal(same.status, 200, same.text);
    for (const count of [BEFORE, AFTER]) {
      const changed = await api.patch(crontabs('a'), { spec: { count: number(count) } });
      assert.equal(changed.status, 422, changed.text);
      assert.match(changed.json.message, /is immutable/);
    }
  });

  it('a set has neighbouring numbers as different elements, and the same number once', async () => {
    const ids = { type: 'array', [listType]: 'set', items: int64 };
    await using api = await withCronTabs({}, [version({ ids })]);
    const all = [BEFORE, EXACT, AFTER].map(number);
    assert.equal((await write(api, { ids: all })).status, 201);
    const twice = await write(api, { ids: [number(EXACT), number(BEFORE), number(EXACT)] }, 'b');
    assert.deepEqual([twice.status, causesOf(twice)], [422, ['spec.ids[2]']], twice.text);
  });

  it('managers own the elements of sets and maps by their exact numbers', async () => {
    const ids = { type: 'array', [listType]: 'set', items: int64 };
    const element = { type: 'object', required: ['id'], properties: { id: int64, text: { type: 'string' } } };
    const parts = { type: 'array', [listType]: 'map', [listMapKeys]: ['id'], items: element };
    await using api = await withCronTabs({}, [version({ ids, parts })]);
    const apply = (manager: string, id: string): Promise<Answered> =>
      api.send('PATCH', `${crontabs('a')}?fieldManager=${manager}`, {
        body: { ...crontab('a'), spec: { ids: [number(id)], parts: [{ id: number(id), text: manager }] } },
        contentType: 'application/apply-patch+yaml',
      });
    assert.equal((await apply('one', BEFORE)).status, 201);
    const both = await apply('two', EXACT);
    assert.equal(both.status, 200, both.text);
    assert.ok(both.text.includes(`"ids":[${BEFORE},${EXACT}]`), both.text);
    for (const id of [BEFORE, EXACT]) {
      assert.ok(both.text.includes(`"v:${id}"`), both.text);
      assert.ok(both.text.includes(`{\\"id\\":${id}}`), both.text);
    }
    const conflict = await apply('three', EXACT);
    assert.equal(conflict.status, 409, conflict.text);
    const left = await apply('two', AFTER);
    assert.ok(left.text.includes(`"ids":[${BEFORE},${AFTER}]`), left.text);
  });

  it('field selectors select by the exact number', async () => {
    const selecting = { ...version({ count: int64 }), selectableFields: [{ jsonPath: '.spec.count' }] };
    await using api = await withCronTabs({}, [selecting]);
    for (const [index, count] of [BEFORE, EXACT, AFTER].entries())
      assert.equal((await write(api, { count: number(count) }, `n-${index}`)).status, 201);
    const { text, json } = await api.get(`${crontabs()}?fieldSelector=spec.count%3D${EXACT}`);
    assert.equal(json.items?.length, 1, text);
    assert.ok(text.includes(`"count":${EXACT}`), text);
  });

  it('an update to a neighbouring number is a change, and one to the same number is none', async () => {
    await using api = await withCronTabs({}, [version({ count: int64 })]);
    const created = await write(api, { count: number(BEFORE) });
    const changed = await api.patch(crontabs('a'), { spec: { count: number(EXACT) } });
    assert.equal(changed.json.metadata.generation, 2, changed.text);
    assert.notEqual(changed.json.metadata.resourceVersion, created.json.metadata.resourceVersion);
    const same = await api.patch(crontabs('a'), { spec: { count: number(EXACT) } });
    assert.equal(same.json.metadata.resourceVersion, changed.json.metadata.resourceVersion);
    const dry = await api.send('PATCH', `${crontabs('a')}?dryRun=All`, {
      body: { spec: { count: number(AFTER) } },
      contentType: 'application/merge-patch+json',
    });
    assert.ok(dry.text.includes(`"count":${AFTER}`), dry.text);
    assert.ok((await api.get(crontabs('a'))).text.includes(`"count":${EXACT}`));
  });

  it('a scale beyond 32 bits is refused, and leaves the object as it is', async () => {
    await using api = await withCronTabs({}, [version({ replicas: int64 })]);
    assert.equal((await write(api, { replicas: 2 })).status, 201);
    const scale = (await api.get(crontabs('a', 'v1', '/scale'))).json;
    const put = await api.put(crontabs('a', 'v1', '/scale'), { ...scale, spec: { replicas: number(EXACT) } });
    assert.equal(put.status, 400, put.text);
    assert.equal((await api.get(crontabs('a'))).json.spec.replicas, 2);
  });
});
