import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ApiObject, namesFor } from '@orch/machinery';
import { numberFromText } from '@orch/machinery/json';
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

describe('a struct of which one field is used', () => {
  const Source = struct('test.v1.Source', '', {
    host: f.string(1, { enum: ['a'] }),
    kind: f.string(2, { enum: ['a'], enumChecked: 'elsewhere' }),
  });
  const Volume = struct('test.v1.Volume', '', {
    first: f.struct(1, Source, { presence: 'pointer', nameInErrors: 'FIRST' }),
    second: f.struct(2, Source, {
      presence: 'pointer',
      validatedIf: (volume, _names, path) => path === 'spec.volume' && volume['first'] === undefined,
    }),
  });
  const Pod = struct('test.v1.Pod', '', {
    spec: f.struct(1, struct('test.v1.Spec', '', { volume: f.struct(1, Volume, { presence: 'pointer' }) })),
  });
  const fieldsOf = (volume: object): readonly string[] =>
    compiler
      .compile(Pod)
      .validate({ spec: { volume } } as unknown as ApiObject)
      .map(({ field }) => field);

  it('a field is validated if its struct says so, and errors have the name that it declares', () => {
    const wrong = { host: 'b', kind: 'b' };
    assert.deepEqual(fieldsOf({ second: wrong }), ['spec.volume.second.host']);
    assert.deepEqual(fieldsOf({ first: wrong, second: wrong }), ['spec.volume.FIRST.host']);
  });
});

describe('a required text with a format', () => {
  const codecOf = (emptyIsInvalid: boolean) =>
    compiler.compile(
      struct('test.v1.Named', '', {
        driver: f.string(1, { required: true, format: 'dns1123label', emptyIsInvalid }),
      }),
    );
  for (const [title, emptyIsInvalid, object, expected] of [
    ['an empty string is reported as required only', false, { driver: '' }, ['FieldValueRequired']],
    [
      'an empty string is reported as required and invalid if declared',
      true,
      { driver: '' },
      ['FieldValueRequired', 'FieldValueInvalid'],
    ],
    [
      'an absent text is reported as required and invalid if declared',
      true,
      {},
      ['FieldValueRequired', 'FieldValueInvalid'],
    ],
    ['a string in another format is reported as invalid only', true, { driver: 'A' }, ['FieldValueInvalid']],
    ['a string in the required format is valid', true, { driver: 'a' }, []],
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

describe('an optional text with a format', () => {
  const causesOf = (emptyIsInvalid: boolean, object: object) =>
    compiler
      .compile(
        struct('test.v1.Hosted', '', {
          host: f.string(1, { presence: 'pointer', format: 'dns1123label', emptyIsInvalid }),
        }),
      )
      .validate(object as ApiObject)
      .map(({ type, field }) => `${type} ${field}`);

  it('an empty string is valid unless it is declared as invalid', () => {
    assert.deepEqual(causesOf(false, { host: '' }), []);
    assert.deepEqual(causesOf(true, { host: '' }), ['FieldValueInvalid host']);
    assert.deepEqual(causesOf(true, {}), []);
    assert.deepEqual(causesOf(true, { host: 'a' }), []);
  });
});

const port = (n: number, rest: object = {}) => ({ port: n, ...rest });

describe('validation of decoded objects', () => {
  for (const [title, spec, expected] of [
    ['a valid object has no errors', {}, []],
    ['an empty required field is reported', { image: '' }, ['spec.image: Required value']],
    [
      'a value outside of the enumeration is reported',
      { mode: 'Other' },
      ['spec.mode: Unsupported value: "Other": supported values: "Fast", "Slow"'],
    ],
    [
      'a number outside of its range is reported',
      { replicas: -1 },
      ['spec.replicas: Invalid value: -1: must be between 0 and 1000, inclusive'],
    ],
    [
      'a number below its lower bound is reported',
      { probe: { periodSeconds: -3 } },
      ['spec.probe.periodSeconds: Invalid value: -3: must be greater than or equal to 1'],
    ],
    [
      'a number above its upper bound is reported in a recursive struct',
      { tree: { children: [{}, { children: [{ value: 101 }] }] } },
      ['spec.tree.children[1].children[0].value: Invalid value: 101: must be less than or equal to 100'],
    ],
    [
      'a number outside of its range is reported in a list of structs',
      { ports: [port(1), port(0)] },
      ['spec.ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive'],
    ],
    [
      'the length of bytes is that of the decoded bytes',
      { key: 'AAAAAAA=' },
      ['spec.key: Too long: must have at most 4 bytes'],
    ],
    [
      'constraints of a list of scalars apply to its items',
      { args: ['12345678', '123456789', 'ééééé'] },
      [
        'spec.args[1]: Too long: must have at most 8 bytes',
        'spec.args[2]: Too long: must have at most 8 bytes',
      ],
    ],
    [
      'a list with too many items is reported',
      { ports: [1, 2, 3, 4, 5].map((n) => port(n)) },
      ['spec.ports: Too many: 5: must have at most 4 items'],
    ],
    [
      'items with equal unique fields are reported',
      { ports: [port(1, { name: 'a' }), port(2), port(3, { name: 'a' }), port(4)] },
      ['spec.ports[2].name: Duplicate value: "a"'],
    ],
    [
      'duplicate items of a set are reported',
      { finalizers: ['a', 'b', 'a'] },
      ['spec.finalizers[2]: Duplicate value: "a"'],
    ],
    ['constraints do not apply to an absent scalar', { key: '', ports: [port(1, { name: '' })] }, []],
  ] as const) {
    it(title, () => assert.deepEqual(errors(spec), expected));
  }

  it('keys of maps are validated', () => {
    const [first, ...rest] = errors({ selector: { 'a b': 'x', ok: 'y' } });
    assert.match(first ?? '', /^spec\.selector\[a b\]: Invalid value: "a b": name part must consist of/);
    assert.deepEqual(rest, []);
  });

  it('all errors are reported in declaration order, and those of struct checks last', () => {
    const spec = { image: '', replicas: -1, mode: 'Slow', ports: [port(0)], nodeagentVersion: 'b' };
    assert.deepEqual(
      errors(spec, { nodeagentVersion: 'a' }).map((e) => e.split(':')[0]),
      ['spec.replicas', 'spec.ports[0].port', 'spec.nodeagentVersion', 'spec.image', 'spec.probe'],
    );
  });

  it('changes of immutable fields are reported, on updates only', () => {
    const changed = ['spec.nodeagentVersion: Invalid value: "b": field is immutable'];
    assert.deepEqual(errors({ nodeagentVersion: 'b' }), []);
    assert.deepEqual(errors({ nodeagentVersion: 'b' }, { nodeagentVersion: 'b' }), []);
    assert.deepEqual(errors({ nodeagentVersion: 'b' }, { nodeagentVersion: 'a' }), changed);
    assert.deepEqual(errors({ nodeagentVersion: 'b' }, {}), changed);
    assert.deepEqual(errors({}, { nodeagentVersion: 'b' }), [
      'spec.nodeagentVersion: Invalid value: null: field is immutable',
    ]);
  });

  it('metadata of the object itself is not validated by the codec', () => {
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

  it('numbers beyond 2^53 are compared exactly with their bounds', () => {
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

  it('fields that an update leaves unchanged are not validated again', () => {
    const part = struct('test.v1.P', '', { n: f.int32(1, { max: 10 }), m: f.int32(2) });
    const kind = struct('test.v1.U', '', { a: f.struct(1, part), b: f.struct(2, part) });
    const { validate } = compiler.compile(kind);
    const old = { a: { n: 11 }, b: { n: 11, m: 1 } } as unknown as ApiObject;
    const next = { a: { n: 11 }, b: { n: 11, m: 2 } } as unknown as ApiObject;
    const fields = (value: ApiObject, before?: ApiObject) => validate(value, before).map((e) => e.field);
    assert.deepEqual(fields(old), ['a.n', 'b.n']);
    assert.deepEqual(fields(old, old), []);
    assert.deepEqual(fields(next, old), ['b.n'], 'a changed field is validated completely');
    assert.deepEqual(fields({ a: {} } as unknown as ApiObject, old), []);
    assert.deepEqual(fields(old, { a: {} } as unknown as ApiObject), ['a.n', 'b.n']);
  });

  it('checks receive the struct before the update, matched by its keys', () => {
    const seen: [string, unknown, string][] = [];
    const record = (value: Readonly<Record<string, unknown>>, context: CheckContext) => {
      seen.push([
        context.path,
        context.old?.['v'],
        `${context.operation} ${context.root['n']} ${value['v']}`,
      ]);
      return [];
    };
    const item = struct('test.v1.I', '', { id: f.string(1), v: f.string(2) }, { checks: [record] });
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

  it('validation stops after a bounded number of errors', () => {
    const kind = struct('test.v1.L', '', { l: f.list(1, items.string, { enum: ['a'] }) });
    const value = compiler.compile(kind).decode({ l: new Array(100_000).fill('b') }).value;
    assert.equal(compiler.compile(kind).validate(value).length, 1000);
  });

  it('fields that a release does not validate yet are skipped', () => {
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

  it('checks of inlined structs run on the parent', () => {
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
