import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { numberFromText, parseJson } from '@orch/machinery/json';
import { canonicalQuantity, canonicalResourceQuantity } from '@orch/machinery/quantity';
import fc from 'fast-check';
import { arbitraryInput } from '../testing/arbitrary.ts';
import { Widget } from '../testing/widget.ts';
import { codecCompiler } from './compiler.ts';
import { canonicalBase64, isPlainQuantity } from './scalars.ts';

const codec = codecCompiler(namesFor('orch')).compile(Widget);

const scalar = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -0,
    1,
    1.5,
    -1,
    2 ** 31,
    2 ** 53,
    1e300,
    '',
    'a',
    '1',
    '100m',
    '1.5Gi',
    'AAAA',
    '__proto__',
  ),
  fc.constantFrom(
    '2024-01-01T00:00:00Z',
    '2024-01-01T00:00:00.000001+01:00',
    '0001-01-01T00:00:00Z',
    '90s',
    'http',
  ),
  fc
    .constantFrom('9007199254740993', '9223372036854775808', '1e400', '0.1000000000000000055')
    .map(numberFromText),
  fc.string(),
  fc.double(),
);

/** Names that the schema declares, among others, so that generated values have deeply nested declared fields. */
const name = fc.oneof(
  fc.constantFrom(
    'kind',
    'apiVersion',
    'metadata',
    'spec',
    'status',
    'labels',
    'ownerReferences',
    'ports',
    'port',
    'target',
  ),
  fc.constantFrom(
    'probe',
    'tree',
    'children',
    'value',
    'selector',
    'limits',
    'data',
    'key',
    'args',
    'extra',
    'anything',
  ),
  fc.constantFrom(
    'since',
    'renewTime',
    'timeout',
    'large',
    'ratio',
    'replicas',
    'paused',
    'name',
    'mode',
    'apiGroup',
  ),
  fc.constantFrom('__proto__', 'constructor', 'toString', '0', '10', '9', '\u{1f600}', '\uff5e'),
);

/** An object as `JSON.parse` would make it: `__proto__` is an ordinary field. */
const object = (value: fc.Arbitrary<unknown>) =>
  fc.array(fc.tuple(name, value), { maxLength: 8 }).map((entries) => Object.fromEntries(entries));

const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 5 }, scalar, object(tie('value')), fc.array(tie('value'), { maxLength: 4 })),
})).value;

/** Widgets of the right types, and values that resemble one. */
const widgetLike: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  { arbitrary: arbitraryInput(Widget) as fc.Arbitrary<Record<string, unknown>>, weight: 3 },
  fc
    .tuple(object(anyJson), object(anyJson), object(anyJson))
    .map(([root, metadata, spec]) => ({ ...root, metadata, spec })),
);

describe('codec properties', () => {
  it('decode accepts any JSON value without throwing and returns JSON', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson, widgetLike), fc.boolean(), (value, defaults) => {
        const decoded = codec.decode(value, { reportUnknown: true, defaults }).value;
        assert.equal(
          JSON.stringify(parseJson(Buffer.from(JSON.stringify(decoded)))),
          JSON.stringify(decoded),
        );
      }),
    );
  });

  it('decode returns an equal value for a decoded value', () => {
    fc.assert(
      fc.property(widgetLike, fc.boolean(), (value, defaults) => {
        const once = codec.decode(value, { defaults });
        if (once.problems.length > 0) return;
        const twice = codec.decode(once.value, { defaults, reportUnknown: true });
        assert.deepEqual(twice.problems, []);
        assert.equal(JSON.stringify(twice.value), JSON.stringify(once.value));
      }),
    );
  });

  it('decode with defaults equals decode followed by applyDefaults', () => {
    fc.assert(
      fc.property(widgetLike, (value) => {
        const fused = codec.decode(value, { defaults: true });
        const after = codec.decode(value);
        assert.deepEqual(after.problems, fused.problems);
        if (after.problems.length > 0) return;
        codec.applyDefaults(after.value);
        assert.equal(JSON.stringify(after.value), JSON.stringify(fused.value));
      }),
    );
  });

  it('the order of fields in the input has no effect on the decoded object', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([k, v]) => [k, reversed(v)]),
      );
    };
    fc.assert(
      fc.property(widgetLike, (input) => {
        const {
          extra: _extra,
          anything: _anything,
          ...spec
        } = (input['spec'] ?? {}) as Record<string, unknown>;
        const value = { ...input, spec };
        const [a, b] = [codec.decode(value), codec.decode(reversed(value))];
        if (a.problems.length === 0) assert.equal(JSON.stringify(a.value), JSON.stringify(b.value));
      }),
    );
  });

  it('validate accepts every value that decode returns', () => {
    fc.assert(
      fc.property(widgetLike, widgetLike, (value, old) => {
        const decode = (input: unknown) => codec.decode(input, { defaults: true }).value;
        for (const error of codec.validate(decode(value), decode(old)))
          assert.ok(error.field.startsWith('spec.'));
      }),
    );
  });
});

describe('scalar shortcuts', () => {
  const suffix = fc.constantFrom(
    '',
    'm',
    'k',
    'M',
    'G',
    'T',
    'P',
    'E',
    'Ki',
    'Mi',
    'Gi',
    'Ti',
    'Pi',
    'Ei',
    'n',
    'u',
    'K',
    'i',
    'mi',
  );
  const quantity = fc
    .tuple(
      fc.oneof(
        fc.integer({ min: 0, max: 2_000_000 }),
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 999 }).map((n) => n * 1024),
      ),
      suffix,
    )
    .map(([digits, unit]) => `${digits}${unit}`);

  it('a quantity that is taken without conversion is canonical', () => {
    fc.assert(
      fc.property(quantity, (text) => {
        if (!isPlainQuantity(text)) return;
        assert.equal(canonicalQuantity(text), text);
        assert.equal(canonicalResourceQuantity(text), text);
      }),
    );
  });

  it('common quantities are taken without conversion', () => {
    for (const text of ['1', '500', '100m', '1500m', '128Mi', '2Gi', '64Ki', '5G', '10k'])
      assert.ok(isPlainQuantity(text), text);
    for (const text of [
      '',
      '0',
      '01',
      '1000',
      '1000m',
      '1024Mi',
      '1.5',
      '1e3',
      '+1',
      '-1',
      '1Ei',
      '1n',
      'Mi',
      '1mi',
      '1234567',
    ]) {
      assert.ok(!isPlainQuantity(text), text);
    }
  });

  it('base64 is accepted exactly when it encodes some bytes, with or without line breaks', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        assert.equal(canonicalBase64(text), text);
        assert.equal(canonicalBase64(text.replace(/(.{5})/g, '$1\r\n')), text);
      }),
    );
    for (const text of [
      'A',
      'AA',
      'AAA',
      'AA=',
      '=',
      '====',
      'AA==A',
      'AAA=AAAA',
      'A A=',
      'AA-_',
      'AAAA====',
      'é===',
    ]) {
      assert.equal(canonicalBase64(text), undefined, text);
    }
  });
});
