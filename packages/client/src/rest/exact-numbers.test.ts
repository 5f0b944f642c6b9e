import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import fc from 'fast-check';
import { configMaps, type Seen, served } from './testing/served.ts';

const text =
  '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"ns"},"spec":{"big":9007199254740993,"list":[{"n":-9223372036854775808}],"long":0.12345678901234567890123}}';
const list = `{"metadata":{"resourceVersion":"1"},"items":[${text}]}`;

interface Big extends ApiObject {
  spec: { big: number; list: { n: number }[]; long: number; copied?: number; exact?: bigint };
}

/** A server whose objects all have numbers that a double cannot hold. */
const open = () =>
  served(({ method, target }) =>
    target.includes('watch=true')
      ? { body: `{"type":"ADDED","object":${text}}\n` }
      : { body: method === 'GET' && !target.endsWith('/a') ? list : text },
  );

const sent = (seen: readonly Seen[]): string => seen.at(-1)?.body ?? '';

const copies: readonly (readonly [string, (object: Big) => Big])[] = [
  ['itself', (object) => object],
  ['a structured clone', (object) => structuredClone(object)],
  ['a clone through JSON', (object) => JSON.parse(JSON.stringify(object)) as Big],
  ['a copy by spread', (object) => ({ ...object, spec: { ...object.spec, list: [...object.spec.list] } })],
];

describe('numbers that a double cannot hold', () => {
  it('exact numbers are plain numbers: comparison, text, clones and JSON work', async () => {
    await using api = await open();
    const c = api.client.resource<Big>(configMaps, 'ns');
    const items = [await c.get('a'), (await c.list()).items[0]];
    for await (const { type, object } of c.watch()) if (type !== 'BOOKMARK') items.push(object);
    for (const object of items) {
      assert.ok(object !== undefined);
      const { big, list: numbers, long } = object.spec;
      assert.deepEqual([typeof big, big > 5, `${big}`], ['number', true, '9007199254740992']);
      assert.deepEqual([numbers[0]?.n, long], [-(2 ** 63), 0.12345678901234568]);
      assert.deepEqual(structuredClone(object), JSON.parse(JSON.stringify(object)));
    }
  });

  for (const [what, copy] of copies)
    it(`no digit is lost when ${what} is written back, as a whole or in a patch`, async () => {
      await using api = await open();
      const c = api.client.resource<Big>(configMaps, 'ns');
      const object = copy(await c.get('a'));
      const whole = text.replace('}}', ',"other":1}}');
      await c.update({ ...object, spec: { ...object.spec, other: 1 } } as Big);
      assert.equal(sent(api.seen), whole);
      await c.subresource<Big>('status').update(object);
      assert.equal(sent(api.seen), text);
      const { big, list: numbers } = object.spec;
      await c.patch.merge('a', { spec: { copied: big } });
      assert.equal(sent(api.seen), '{"spec":{"copied":9007199254740993}}');
      await c.patch.json('a', [{ op: 'add', path: '/spec/x', value: numbers }]);
      assert.match(sent(api.seen), /"value":\[\{"n":-9223372036854775808\}\]/);
      await c.patch.apply('a', { spec: { long: object.spec.long } }, { fieldManager: 'm' });
      assert.match(sent(api.seen), /,"spec":\{"long":0.12345678901234567890123\}\}$/);
    });

  it('changed numbers are written as they are, and bigints with all digits', async () => {
    await using api = await open();
    const c = api.client.resource<Big>(configMaps, 'ns');
    await c.get('a');
    await c.patch.merge('a', { spec: { big: 5e15, list: [{ n: 5 }], exact: 9007199254740995n } });
    assert.equal(
      sent(api.seen),
      '{"spec":{"big":5000000000000000,"list":[{"n":5}],"exact":9007199254740995}}',
    );
  });

  it('a number that stands for several ones of an object is written in its place only', async () => {
    const body = '{"metadata":{"name":"a","namespace":"ns"},"x":9007199254740992.1,"y":9007199254740993}';
    await using api = await served(() => ({ body }));
    const c = api.client.resource(configMaps, 'ns');
    const object = await c.get('a');
    await c.patch.merge('a', { x: object['x'], y: object['y'] });
    assert.equal(sent(api.seen), '{"x":9007199254740992.1,"y":9007199254740993}');
    await assert.rejects(c.patch.merge('a', { z: object['x'] }), {
      name: 'RangeError',
      message: /^z: 9007199254740992 stands for several numbers/,
    });
  });

  it('any integer of 64 bits keeps its digits over a read, a clone and a write', async () => {
    let body = '';
    await using api = await served(() => ({ body }));
    const c = api.client.resource(configMaps, 'ns');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), async (numbers) => {
        body = `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"ns"},"n":[${numbers}]}`;
        await c.update(structuredClone(await c.get('a')));
        assert.equal(sent(api.seen), body);
      }),
      { numRuns: 30 },
    );
  });

  it('a client for programs that print reads exact numbers', async () => {
    await using api = await served(() => ({ body: text }), { numbers: 'exact' });
    assert.equal(JSON.stringify(await api.client.resource(configMaps, 'ns').get('a')), text);
  });
});
