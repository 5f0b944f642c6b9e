import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { f, items, struct } from '../declare.ts';
import type { DefaultContext } from '../schema.ts';
import { Widget } from '../testing/widget.ts';
import { codecCompiler } from './compiler.ts';

const compiler = codecCompiler(namesFor('orch'));
const codec = compiler.compile(Widget);

/** The spec after defaulting, by both ways; they must agree. */
function defaulted(spec: unknown): Record<string, unknown> {
  const fused = codec.decode({ spec }, { defaults: true }).value;
  const after = codec.decode({ spec }).value;
  codec.applyDefaults(after);
  assert.equal(JSON.stringify(after), JSON.stringify(fused));
  return fused['spec'] as Record<string, unknown>;
}

const inEverySpec = {
  replicas: 1,
  mode: 'Fast',
  always: { periodSeconds: 10, path: '/' },
  args: null,
  apiGroup: null,
};

describe('defaults of decoded objects', () => {
  for (const [title, spec, expected] of [
    ['defaults are set for absent fields', {}, inEverySpec],
    ['defaults replace zero values', { mode: '' }, inEverySpec],
    ['defaults do not replace the zero of a pointer', { replicas: 0 }, { ...inEverySpec, replicas: 0 }],
    ['defaults do not replace other values', { mode: 'Slow' }, { ...inEverySpec, mode: 'Slow' }],
    ['defaults do not create absent structs', { probe: null }, inEverySpec],
    [
      'defaults are set within structs that are present',
      { probe: {} },
      { ...inEverySpec, probe: { periodSeconds: 10, path: '/' } },
    ],
    [
      'defaults are computed from sibling fields',
      { ports: [{ port: 80 }, { port: 81, target: 'x' }, { port: 82, target: 0 }] },
      {
        ...inEverySpec,
        ports: [
          { port: 80, protocol: 'TCP', target: 80 },
          { port: 81, protocol: 'TCP', target: 'x' },
          { port: 82, protocol: 'TCP', target: 82 },
        ],
      },
    ],
    [
      'derived defaults change several fields',
      { paused: true, replicas: 7 },
      { ...inEverySpec, replicas: 0, paused: true },
    ],
  ] as const) {
    it(title, () => assert.deepEqual(defaulted(spec), expected));
  }

  it('defaults are inserted in declaration order', () => {
    const keys = Object.keys(defaulted({ image: 'i', ports: [{ port: 1 }] }));
    assert.deepEqual(keys, ['replicas', 'mode', 'ports', 'always', 'args', 'apiGroup', 'image']);
  });

  it('defaults applied in place keep the identity of the object', () => {
    const value = codec.decode({ spec: {} }).value;
    const same = value;
    codec.applyDefaults(value);
    assert.equal((same['spec'] as Record<string, unknown>)['mode'], 'Fast');
  });

  it('defaults are inserted at the top level as well', () => {
    const kind = struct('test.v1.Secret', '', {
      data: f.map(1, items.string),
      type: f.string(2, { default: 'Opaque' }),
      last: f.bool(3),
    });
    const value = compiler.compile(kind).decode({ last: true, data: { a: 'b' } }).value;
    compiler.compile(kind).applyDefaults(value);
    assert.equal(JSON.stringify(value), '{"data":{"a":"b"},"type":"Opaque","last":true}');
  });

  it('defaults that are structs receive the defaults of their fields, as separate copies for each object', () => {
    const inner = struct('test.v1.Inner', '', { a: f.int32(1, { default: 1 }), b: f.string(2) });
    const outer = struct('test.v1.Outer', '', {
      fixed: f.struct(1, inner, { presence: 'pointer', default: { b: 'x' } }),
      computed: f.struct(2, inner, { presence: 'pointer', default: () => ({ b: 'y', unknown: true }) }),
    });
    const read = (): ApiObject => compiler.compile(outer).decode({}, { defaults: true }).value;
    const [first, second] = [read(), read()];
    assert.equal(JSON.stringify(first), '{"fixed":{"a":1,"b":"x"},"computed":{"a":1,"b":"y"}}');
    assert.notEqual(first['fixed'], second['fixed']);
  });

  it('computed defaults receive fixed defaults, names, the kind of the object and the release', () => {
    const names = namesFor('kubernetes');
    const inner = struct('test.v1.Inner', '', {
      seen: f.string(1, {
        default: (parent: { later?: unknown }, n: typeof names, { root, since }: DefaultContext) =>
          `${parent.later} ${n.naming} ${root} ${since('1.29')} ${since('1.30')}`,
      }),
      later: f.string(2, { default: 'later' }),
    });
    const outer = struct('test.v1.Outer', '', { inner: f.struct(1, inner, { presence: 'always' }) });
    const includes = ({ since }: { readonly since?: string }): boolean => since !== '1.30';
    const value = codecCompiler(names, { includes }).compile(outer).decode({}, { defaults: true }).value;
    assert.deepEqual(value['inner'], {
      seen: 'later kubernetes test.v1.Outer true false',
      later: 'later',
    });
  });

  it('derived defaults across levels keep the canonical order', () => {
    const leaf = struct('test.v1.Leaf', '', { a: f.int32(1), b: f.int32(2), c: f.int32(3) });
    const root = struct(
      'test.v1.Root',
      '',
      { first: f.string(1), leaves: f.list(2, leaf), on: f.bool(3) },
      {
        derive: (value) => {
          if (value['on'] !== true || value['first'] !== undefined) return false;
          value['first'] = 'set';
          for (const item of value['leaves'] as Record<string, unknown>[]) item['a'] = item['c'];
          return true;
        },
      },
    );
    const value = compiler
      .compile(root)
      .decode({ on: true, leaves: [{ c: 1, b: 2 }] }, { defaults: true }).value;
    assert.equal(JSON.stringify(value), '{"first":"set","leaves":[{"a":1,"b":2,"c":1}],"on":true}');
  });

  it('no default is computed from a value with a field or an item of a wrong type', () => {
    const seen: unknown[] = [];
    const record = (value: unknown): undefined => {
      seen.push(value);
      return undefined;
    };
    const Item = struct('test.v1.Item', 'An item.', { name: f.string(1) });
    const Holder = struct(
      'test.v1.Holder',
      'Holds items.',
      {
        items: f.list(1, Item),
        first: f.string(2, { default: record }),
      },
      {
        derive: (value) => {
          record(value);
          return false;
        },
      },
    );
    const holder = compiler.compile(Holder);
    for (const input of [{ items: [5] }, { items: 'a' }, { items: [{ name: 1 }] }, { first: {} }]) {
      const { problems } = holder.decode(input, { defaults: true });
      assert.deepEqual(
        problems.map(({ kind }) => kind),
        ['type'],
        JSON.stringify(input),
      );
    }
    assert.deepEqual(seen, []);
    holder.decode({ items: [{ name: 'a' }] }, { defaults: true });
    assert.equal(seen.length, 2);
  });
});
