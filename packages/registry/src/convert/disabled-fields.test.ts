import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { type Field, f, items, type Schema, struct } from '@orch/schema';
import { LATER_GATE } from '../testing/gadget-rows.ts';
import { at, isOld, type Json, openGadgets, posted } from '../testing/gadgets.ts';
import { DisabledFields } from './disabled-fields.ts';

const names = namesFor('orch');
const isUnserved = ({ gate }: Field): boolean => gate === 'Closed';
const closed = { gate: 'Closed', since: '9.9' };

const Leaf = struct('t.Leaf', '', { kept: f.string(1), hidden: f.string(2, closed) });
const Plain = struct('t.Plain', '', { a: f.string(1), list: f.list(2, items.string), free: f.object(3) });
const Knot: ReturnType<typeof struct> = struct('t.Knot', '', {
  name: f.string(1),
  hidden: f.int32(2, closed),
  children: f.list(3, () => Knot as Schema),
  byName: f.map(4, () => Knot as Schema),
});
const Root = struct('t.Root', '', {
  plain: f.struct(1, Plain),
  leaf: f.struct(2, Leaf),
  leaves: f.list(3, Leaf),
  knot: f.struct(4, Knot),
  inlined: f.inline(5, Leaf),
});

const object = (value: object): ApiObject => ({ metadata: {}, ...value });

describe('disabled fields of a schema', () => {
  const fields = DisabledFields.of(Root, names, isUnserved);
  assert.ok(fields);

  it('a kind without disabled fields has no DisabledFields', () => {
    assert.equal(DisabledFields.of(Plain, names, isUnserved), undefined);
    assert.equal(
      DisabledFields.of(Root, names, () => false),
      undefined,
    );
  });

  for (const [title, value, used] of [
    ['nowhere', { plain: { a: 'b', free: { hidden: 'x' } }, leaves: [{ kept: 'k' }] }, 0],
    ['in a struct', { leaf: { hidden: 'x' } }, 1],
    ['in an item', { leaves: [{ kept: 'k' }, { hidden: 'x' }] }, 1],
    ['as null: nowhere', { leaf: { hidden: null } }, 0],
    ['in an inlined struct', { hidden: 'x' }, 1],
    ['deep in a kind that refers to itself', { knot: { children: [{ byName: { a: { hidden: 0 } } }] } }, 1],
    ['in values of a wrong form: nowhere', { leaves: 'x', knot: [], leaf: 7 }, 0],
    ['twice', { leaf: { hidden: 'x' }, knot: { hidden: 1 } }, 2],
  ] as const) {
    it(`disabled fields are found ${title}`, () =>
      assert.equal(fields.usedBy(object(value))?.size ?? 0, used));
  }

  it('prune removes all disabled fields except the kept ones', () => {
    const value = object({
      leaf: { kept: 'k', hidden: 'x' },
      knot: { hidden: 1, children: [{ hidden: 2 }] },
    });
    fields.prune(value, fields.usedBy(object({ leaf: { hidden: 'y' } })) ?? new Set());
    assert.deepEqual(value, object({ leaf: { kept: 'k', hidden: 'x' }, knot: { children: [{}] } }));
  });
});

describe('writes of disabled fields', () => {
  for (const version of ['apps/v1', 'apps/v1beta1'] as const) {
    const size = isOld(version) ? 'replicas' : 'size';
    const laterOf = ({ json }: Json): unknown => json.spec.later;
    const withLater = (name: string, later: string): Json => {
      const body: Json = posted(version, name);
      return { ...body, spec: { ...body.spec, later } };
    };

    it(`${version}: disabled fields are dropped on create and on update`, async () => {
      await using api = await openGadgets('1.24');
      const made = await api.post(at(version), withLater('g', 'x'));
      assert.deepEqual([made.status, laterOf(made)], [201, undefined]);
      assert.equal(laterOf(await api.put(at(version, 'g'), withLater('g', 'x'))), undefined);
      assert.equal(laterOf(await api.patch(at(version, 'g'), { spec: { later: 'x' } })), undefined);
    });

    it(`${version}: fields are stored when the gate is enabled or the release serves them`, async () => {
      for (const [release, openGates] of [
        ['1.24', new Set([LATER_GATE])],
        ['1.27', new Set<string>()],
      ] as const) {
        if (release === '1.27' && isOld(version)) continue;
        await using api = await openGadgets(release, { openGates });
        assert.equal(laterOf(await api.post(at(version), withLater('g', 'x'))), 'x');
      }
    });

    it(`${version}: objects that have disabled fields keep them, and updates can change and remove them`, async () => {
      await using open = await openGadgets('1.24', { openGates: new Set([LATER_GATE]) });
      await open.post(at(version), withLater('g', 'x'));
      await using api = await openGadgets('1.24', { store: open.model });
      await api.settled();
      const got = await api.get(at(version, 'g'));
      assert.equal(laterOf(got), 'x');
      const put = await api.put(at(version, 'g'), { ...got.json, spec: { ...got.json.spec, [size]: 9 } });
      assert.deepEqual([put.status, laterOf(put), put.json.spec[size]], [200, 'x', 9]);
      const patched = await api.patch(at(version, 'g'), { spec: { later: 'y' } });
      assert.equal(laterOf(patched), 'y');
      const labelled = await api.patch(at(version, 'g'), { metadata: { labels: { a: 'b' } } });
      assert.equal(laterOf(labelled), 'y');
      const status = await api.patch(at(version, 'g', '/status'), { status: { phase: 'P' } });
      assert.equal(laterOf(status), 'y');
      assert.equal(laterOf(await api.patch(at(version, 'g'), { spec: { later: null } })), undefined);
      assert.equal(laterOf(await api.patch(at(version, 'g'), { spec: { later: 'z' } })), undefined);
    });
  }

  it('disabled fields have values of their type, whether unknown fields are reported or not', async () => {
    await using api = await openGadgets('1.26');
    const body = { metadata: { name: 'g' }, spec: { later: 1 } };
    for (const strictness of ['Ignore', 'Warn', 'Strict']) {
      const { status, json } = await api.post(`${at('apps/v1')}?fieldValidation=${strictness}`, body);
      assert.equal(status, 400, strictness);
      assert.match(json.message, /spec\.later: expected a string, got the number 1$/);
    }
    await api.post(at('apps/v1'), { ...body, spec: {} });
    const patched = await api.patch(at('apps/v1', 'g'), { spec: { later: 1 } });
    assert.match(patched.json.message, /spec\.later: expected a string/);
  });

  it('disabled fields are not reported as unknown', async () => {
    await using api = await openGadgets('1.26');
    const strict = (spec: object) =>
      api.post(`${at('apps/v1')}?fieldValidation=Strict`, { metadata: { generateName: 'g-' }, spec });
    const dropped = await strict({ later: 'x' });
    assert.deepEqual([dropped.status, dropped.json.spec.later], [201, undefined]);
    const unknown = await strict({ later: 'x', other: 'y' });
    assert.equal(unknown.status, 400);
    assert.match(unknown.json.message, /unknown field "spec\.other"$/);
  });

  for (const [release, strictness, status, warning] of [
    ['1.25', 'Strict', 400, undefined],
    ['1.25', 'Warn', 201, /unknown field \\"spec\.later\\"/],
    ['1.25', 'Ignore', 201, undefined],
    ['1.26', 'Strict', 201, undefined],
    ['1.26', 'Warn', 201, undefined],
    ['1.26', 'Ignore', 201, undefined],
  ] as const) {
    it(`release ${release}, in which the gate is ${release === '1.25' ? 'unknown' : 'disabled'}: ${strictness} answers ${status}`, async () => {
      await using api = await openGadgets(release);
      const answer = await api.post(`${at('apps/v1')}?fieldValidation=${strictness}`, {
        metadata: { name: 'g' },
        spec: { later: 'x' },
      });
      assert.deepEqual([answer.status, answer.json.spec?.later], [status, undefined]);
      if (status === 400) assert.match(answer.json.message, /unknown field "spec\.later"$/);
      const warnings = String(answer.headers['Warning'] ?? '');
      if (warning === undefined) assert.equal(warnings, '');
      else assert.match(warnings, warning);
    });
  }
});
