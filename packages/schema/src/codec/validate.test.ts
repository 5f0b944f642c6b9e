import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor, numberFromText } from '@orch/machinery';
import { f, items, struct } from '../declare.ts';
import type { CheckContext } from '../schema.ts';
import { Widget } from '../testing/widget.ts';
import { codecCompiler } from './compiler.ts';

const compiler = codecCompiler(namesFor('orch'));
const codec = compiler.compile(Widget);

/** Errors of a spec, `field: message`, after decoding and defaulting it (and the old one). */
function errors(spec: object, old?: object): string[] {
  const decode = (s: object) => codec.decode({ spec: { image: 'i', ...s } }, { defaults: true }).value;
  return codec.validate(decode(spec), old && decode(old)).map((e) => `${e.field}: ${e.message}`);
}

describe('a required text with a format', () => {
  const codecOf = (emptyIsInvalid: boolean) =>
    compiler.compile(
      struct('test.v1.Named', '', {
        driver: f.string(1, { required: true, format: 'dns1123label', emptyIsInvalid }),
      }),
    );
  for (const [title, emptyIsInvalid, object, expected] of [
    ['is only required when it is empty', false, { driver: '' }, ['FieldValueRequired']],
    [
      'is required and invalid when it is empty and declared so',
      true,
      { driver: '' },
      ['FieldValueRequired', 'FieldValueInvalid'],
    ],
    [
      'is required and invalid when it is absent and declared so',
      true,
      {},
      ['FieldValueRequired', 'FieldValueInvalid'],
    ],
    ['is only invalid when it is not of the format', true, { driver: 'A' }, ['FieldValueInvalid']],
    ['is right when it is of the format', true, { driver: 'a' }, []],
  ] as const) {
    it(title, () =>
      assert.deepEqual(
        codecOf(emptyIsInvalid)
          .validate(object as ApiObject)
          .map(({ type }) => type),
        expected,
      ),
    );
  }
});

const port = (n: number, rest: object = {}) => ({ port: n, ...rest });

describe('validate', () => {
  for (const [title, spec, expected] of [
    ['a valid object has no errors', {}, []],
    ['required', { image: '' }, ['spec.image: Required value']],
    ['enum', { mode: 'Other' }, ['spec.mode: Unsupported value: "Other": supported values: "Fast", "Slow"']],
    ['range', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be between 0 and 1000, inclusive']],
    [
      'lower bound',
      { probe: { periodSeconds: -3 } },
      ['spec.probe.periodSeconds: Invalid value: -3: must be greater than or equal to 1'],
    ],
    [
      'upper bound in a recursive struct',
      { tree: { children: [{}, { children: [{ value: 101 }] }] } },
      ['spec.tree.children[1].children[0].value: Invalid value: 101: must be less than or equal to 100'],
    ],
    [
      'format in a list of structs',
      { ports: [port(1), port(0)] },
      ['spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive'],
    ],
    ['bytes count decoded', { key: 'AAAAAAA=' }, ['spec.key: Too long: must have at most 4 bytes']],
    [
      'constraints of a list of scalars are about its items',
      { args: ['12345678', '123456789', 'ééééé'] },
      [
        'spec.args[1]: Too long: must have at most 8 bytes',
        'spec.args[2]: Too long: must have at most 8 bytes',
      ],
    ],
    [
      'number of items',
      { ports: [1, 2, 3, 4, 5].map((n) => port(n)) },
      ['spec.ports: Too many: 5: must have at most 4 items'],
    ],
    [
      'unique by field',
      { ports: [port(1, { name: 'a' }), port(2), port(3, { name: 'a' }), port(4)] },
      ['spec.ports[2].name: Duplicate value: "a"'],
    ],
    ['unique items', { finalizers: ['a', 'b', 'a'] }, ['spec.finalizers[2]: Duplicate value: "a"']],
    [
      'a scalar that is absent is not held to its constraints',
      { key: '', ports: [port(1, { name: '' })] },
      [],
    ],
  ] as const) {
    it(title, () => assert.deepEqual(errors(spec), expected));
  }

  it('checks the names of maps', () => {
    const [first, ...rest] = errors({ selector: { 'a b': 'x', ok: 'y' } });
    assert.match(first ?? '', /^spec\.selector\[a b\]: Invalid value: "a b": name part must consist of/);
    assert.deepEqual(rest, []);
  });

  it('reports everything at once, in declaration order, checks of a struct last', () => {
    const spec = { image: '', replicas: -1, mode: 'Slow', ports: [port(0)], nodeagentVersion: 'b' };
    assert.deepEqual(
      errors(spec, { nodeagentVersion: 'a' }).map((e) => e.split(':')[0]),
      ['spec.replicas', 'spec.ports[0].port', 'spec.nodeagentVersion', 'spec.image', 'spec.probe'],
    );
  });

  it('holds immutable fields to their old value, only on update', () => {
    const changed = ['spec.nodeagentVersion: Invalid value: "b": field is immutable'];
    assert.deepEqual(errors({ nodeagentVersion: 'b' }), []);
    assert.deepEqual(errors({ nodeagentVersion: 'b' }, { nodeagentVersion: 'b' }), []);
    assert.deepEqual(errors({ nodeagentVersion: 'b' }, { nodeagentVersion: 'a' }), changed);
    assert.deepEqual(errors({ nodeagentVersion: 'b' }, {}), changed);
    assert.deepEqual(errors({}, { nodeagentVersion: 'b' }), [
      'spec.nodeagentVersion: Invalid value: null: field is immutable',
    ]);
  });

  it('leaves the metadata of the object to others', () => {
    const kind = struct('test.v1.M', '', {
      metadata: f.struct(1, struct('test.v1.Meta', '', { name: f.string(1, { required: true }) }), {
        presence: 'always',
      }),
      template: f.struct(2, struct('test.v1.T', '', { metadata: f.string(1, { required: true }) }), {
        presence: 'always',
      }),
    });
    const value = compiler.compile(kind).decode({}).value;
    assert.deepEqual(
      compiler
        .compile(kind)
        .validate(value)
        .map((e) => e.field),
      ['template.metadata'],
    );
  });

  it('compares numbers past 2^53 with their bounds', () => {
    const kind = struct('test.v1.N', '', { n: f.int64(1, { max: 10, immutable: true }) });
    const decode = (text: string) => compiler.compile(kind).decode({ n: numberFromText(text) }).value;
    const validate = compiler.compile(kind).validate;
    assert.deepEqual(
      validate(decode('9007199254740993')).map(({ field, message }) => [field, message]),
      [['n', 'Invalid value: 9007199254740993: must be less than or equal to 10']],
    );
    assert.equal(validate(decode('9007199254740993'), decode('9007199254740993')).length, 0);
    assert.equal(validate(decode('9007199254740993'), decode('9007199254740992')).length, 2);
  });

  it('does not look again at fields of an object that an update leaves as they were', () => {
    const part = struct('test.v1.P', '', { n: f.int32(1, { max: 10 }), m: f.int32(2) });
    const kind = struct('test.v1.U', '', { a: f.struct(1, part), b: f.struct(2, part) });
    const { validate } = compiler.compile(kind);
    const old = { a: { n: 11 }, b: { n: 11, m: 1 } } as unknown as ApiObject;
    const next = { a: { n: 11 }, b: { n: 11, m: 2 } } as unknown as ApiObject;
    const fields = (value: ApiObject, before?: ApiObject) => validate(value, before).map((e) => e.field);
    assert.deepEqual(fields(old), ['a.n', 'b.n']);
    assert.deepEqual(fields(old, old), []);
    assert.deepEqual(fields(next, old), ['b.n'], 'a field that changed is looked at whole');
    assert.deepEqual(fields({ a: {} } as unknown as ApiObject, old), []);
    assert.deepEqual(fields(old, { a: {} } as unknown as ApiObject), ['a.n', 'b.n']);
  });

  it('shows checks the struct before the update, found by its keys', () => {
    const seen: [string, unknown, string][] = [];
    const remember = (value: Readonly<Record<string, unknown>>, context: CheckContext) => {
      seen.push([
        context.path,
        context.old?.['v'],
        `${context.operation} ${context.root['n']} ${value['v']}`,
      ]);
      return [];
    };
    const item = struct('test.v1.I', '', { id: f.string(1), v: f.string(2) }, { checks: [remember] });
    const kind = struct('test.v1.K', '', {
      n: f.string(1),
      keyed: f.list(2, item, { listType: 'map', mapKeys: ['id'] }),
      plain: f.list(3, item),
      named: f.map(4, item),
    });
    const make = (v: string, ids: readonly string[]) =>
      compiler.compile(kind).decode({
        n: v,
        keyed: ids.map((id) => ({ id, v: `${v}${id}` })),
        plain: [{ v }],
        named: { a: { v } },
      }).value;
    compiler.compile(kind).validate(make('new', ['a', 'b', 'c']), make('old', ['b', 'a']));
    assert.deepEqual(seen, [
      ['keyed[0]', 'olda', 'update new newa'],
      ['keyed[1]', 'oldb', 'update new newb'],
      ['keyed[2]', undefined, 'update new newc'],
      ['plain[0]', undefined, 'update new new'],
      ['named[a]', 'old', 'update new new'],
    ]);
  });

  it('stops after a bounded number of errors', () => {
    const kind = struct('test.v1.L', '', { l: f.list(1, items.string, { enum: ['a'] }) });
    const value = compiler.compile(kind).decode({ l: new Array(100_000).fill('b') }).value;
    assert.equal(compiler.compile(kind).validate(value).length, 1000);
  });

  it('leaves alone what a release does not validate yet', () => {
    const inner = struct('test.v1.Checked', '', { a: f.string(1, { required: true, enum: ['a'] }) });
    const outer = struct('test.v1.Holder', '', {
      later: f.struct(1, inner, { presence: 'pointer', required: true, validatedSince: '2' }),
      never: f.list(2, inner, { validatedSince: 'never' }),
      always: f.struct(3, inner, { presence: 'pointer' }),
    });
    const fields = (release: string, value: object): readonly string[] => {
      const includes = ({ since = '1' }): boolean => since <= release;
      const own = codecCompiler(namesFor('orch'), { includes }).compile(outer);
      return own.validate(own.decode(value).value).map((e) => e.field);
    };
    const wrong = { later: { a: 'b' }, never: [{}], always: {} };
    assert.deepEqual(fields('1', wrong), ['always.a']);
    assert.deepEqual(fields('2', wrong), ['later.a', 'always.a']);
    assert.deepEqual(fields('1', {}), ['later'], 'the field itself has its rules in every release');
  });

  it('runs the checks of inlined structs on the parent', () => {
    const inner = struct(
      'test.v1.In',
      '',
      { a: f.string(1) },
      {
        checks: [
          (value, { path }) =>
            value['a'] === 'bad' ? [{ type: 'FieldValueInvalid', field: `${path}.a`, message: 'bad' }] : [],
        ],
      },
    );
    const outer = struct('test.v1.Out', '', {
      x: f.struct(1, struct('test.v1.X', '', { inner: f.inline(1, inner) }), { presence: 'pointer' }),
    });
    const value = compiler.compile(outer).decode({ x: { a: 'bad' } }).value;
    assert.deepEqual(
      compiler
        .compile(outer)
        .validate(value)
        .map((e) => e.field),
      ['x.a'],
    );
  });
});
