import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addQuantities,
  canonicalQuantity,
  canonicalResourceQuantity,
  compareQuantities,
  formatQuantity,
  isWholeQuantity,
  parseQuantity,
  QuantityError,
  quantityInteger,
  quantityNumber,
  quantitySign,
  roundUpToMilli,
  subtractQuantities,
} from './quantity.ts';

/** The values of a resource list as a server of release 1.20 stored them. */
const observed: Readonly<Record<string, string>> = {
  '0': '0',
  '1': '1',
  '+5': '+5',
  '05': '05',
  '1.5': '1500m',
  '1.50': '1500m',
  '1.500': '1.500',
  '1.234': '1.234',
  '0.5': '500m',
  '.5': '500m',
  '5.': '5.',
  '0.1m': '1m',
  '0.1n': '1m',
  '1n': '1m',
  '1000n': '1m',
  '1000m': '1',
  '1500m': '1500m',
  '100m': '100m',
  '1e3': '1e3',
  '1E3': '1E3',
  '1.5e3': '1500',
  '15e2': '1500',
  '1000': '1k',
  '1000k': '1M',
  '1024Mi': '1Gi',
  '1024Ki': '1Mi',
  '1000Mi': '1000Mi',
  '1.5Gi': '1536Mi',
  '0.5Gi': '512Mi',
  '0.5Ki': '512',
  '1.1Ki': '1126400m',
  '512Ki': '512Ki',
  '1500Ki': '1500Ki',
  '10000000000': '10G',
  '9223372036854775807': '9223372036854775807',
  '9223372036854775808': '9223372036854775808',
  '10Ei': '9223372036854775807',
  '1E': '1E',
  '2E': '2E',
  '100E': '100E',
  '-1': '-1',
  '-1.5Gi': '-1536Mi',
  '-0': '0',
  '1000000000000000000000': '1',
  '12e-3': '12e-3',
  '1e-3': '1e-3',
  '1e-9': '1e-3',
  '1e-10': '1e-3',
  '1Mi': '1Mi',
  '1023': '1023',
  '1024': '1024',
  '8Mi': '8Mi',
  '16Mi': '16Mi',
  '0Mi': '0',
  '0m': '0',
  '00': '0',
  Mi: '0',
  '100000m': '100',
  '3.14159265358979': '3142m',
  '1000000Mi': '1000000Mi',
  '0.001': '1m',
  '0.0001': '1m',
  '12345678901234567890': '12345678901234567890',
  '123456789.123456789': '123456789124m',
  '1e19': '10e18',
};

describe('quantities as text', () => {
  for (const [input, stored] of Object.entries(observed)) {
    it(`${JSON.stringify(input)} in a resource list is stored as ${stored}`, () => {
      assert.equal(canonicalResourceQuantity(input), stored);
    });
  }

  for (const text of [
    '',
    '0x10',
    '1 Mi',
    '1.5.5',
    '1Gi500Mi',
    '1K',
    '1_000',
    '1e',
    '1mi',
    '１',
    'e',
    '+',
    '-',
    '1e1.5',
    '1e3Mi',
    '--1',
    '1Mi3',
    'x',
    '1e+',
    '1ee3',
    'NaN',
    '1e1001',
    '9'.repeat(300),
  ]) {
    it(`${JSON.stringify(text.slice(0, 20))} is not a quantity`, () =>
      assert.throws(() => parseQuantity(text), QuantityError));
  }

  it('quantities outside resource lists keep what is finer than thousandths', () => {
    assert.equal(canonicalQuantity('1n'), '1n');
    assert.equal(canonicalQuantity('1.5u'), '1500n');
    assert.equal(canonicalQuantity('0.1n'), '1n');
    assert.equal(canonicalQuantity(' 1 '), '1');
  });

  it('a quantity whose stored form would have an exponent beyond 1000 is refused', () => {
    for (const text of ['4e1000', '40e997', '400e-1000', '0e1000', '000e1000'])
      assert.equal(canonicalQuantity(canonicalQuantity(text)), canonicalQuantity(text), text);
    for (const text of ['4e1001', '40e1000', '400000e999'])
      assert.throws(() => parseQuantity(text), QuantityError);
  });

  it('quantities are stored the same when what is stored is read again', () => {
    const text = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        fc.stringMatching(/^[0-9]{0,22}$/),
        fc.stringMatching(/^(\.[0-9]{0,14})?$/),
        fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E-2', 'e7'),
      )
      .filter(
        ([, whole, fraction, suffix]) => whole + fraction + suffix !== '' && (whole + fraction).length < 22,
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (input) => {
        const first = parseQuantity(input);
        // Above exa the canonical form is not reversible (see formatDecimal).
        fc.pre(
          first.mantissa === 0n || first.format === 'decimalExponent' || quantityNumber(first) ** 2 < 1e36,
        );
        const stored = formatQuantity(first);
        assert.equal(compareQuantities(parseQuantity(stored), first), 0, `${input} → ${stored}`);
        const again = canonicalQuantity(stored);
        if (first.format !== 'binarySI') assert.equal(again, stored, input);
        assert.equal(canonicalQuantity(again), again, input);
      }),
    );
  });

  it('a quantity with a binary suffix that its stored form does not have is decimal when it is read again', () => {
    for (const [text, stored, again] of [
      ['62.5Ki', '64000', '64k'],
      ['1.5Ki', '1536', '1536'],
      ['0.5Mi', '512Ki', '512Ki'],
    ] as const)
      assert.deepEqual([canonicalQuantity(text), canonicalQuantity(stored)], [stored, again]);
  });

  for (const [a, b, sum] of [
    ['1', '1', '2'],
    ['1Gi', '1Gi', '2Gi'],
    ['1Gi', '512Mi', '1536Mi'],
    ['100m', '900m', '1'],
    ['1', '1Gi', '1073741825'],
    ['0', '1Gi', '1Gi'],
    ['0.1', '0.2', '300m'],
    ['9223372036854775807', '1', '9223372036854775808'],
    ['1e3', '1', '1001'],
    ['1', '-1', '0'],
    ['1n', '1k', '1000000000001n'],
  ] as const) {
    it(`${a} + ${b} is exactly ${sum}`, () => {
      const left = parseQuantity(a);
      const right = parseQuantity(b);
      assert.equal(formatQuantity(addQuantities(left, right)), sum);
      assert.equal(compareQuantities(subtractQuantities(parseQuantity(sum), right), left), 0);
    });
  }

  it('quantities compare by value, regardless of their form', () => {
    const order = [
      '-1Ki',
      '-1',
      '0',
      '1n',
      '1m',
      '0.5',
      '1',
      '1000m',
      '1k',
      '1Ki',
      '1M',
      '1Mi',
      '1e9',
      '1Gi',
      '1E',
      '1Ei',
    ];
    const values = order.map(parseQuantity);
    values.forEach((value, i) => {
      const next = values[i + 1];
      if (next !== undefined) assert.ok(compareQuantities(value, next) <= 0, `${order[i]} ${order[i + 1]}`);
    });
    assert.equal(compareQuantities(parseQuantity('1000m'), parseQuantity('1')), 0);
    assert.equal(compareQuantities(parseQuantity('1024Ki'), parseQuantity('1Mi')), 0);
  });

  it('quantities give their sign, whole value and nearest double', () => {
    assert.deepEqual(
      ['-1m', '0', '1n'].map((text) => quantitySign(parseQuantity(text))),
      [-1, 0, 1],
    );
    assert.equal(quantityInteger(parseQuantity('1.1')), 2n);
    assert.equal(quantityInteger(parseQuantity('-1.1')), -2n);
    assert.equal(quantityInteger(parseQuantity('2Ei')), 2n ** 61n);
    assert.equal(isWholeQuantity(parseQuantity('1.5Gi')), true);
    assert.equal(isWholeQuantity(parseQuantity('1500m')), false);
    assert.equal(quantityNumber(parseQuantity('1500m')), 1.5);
  });

  it('quantities of usual form are read as all others are', () => {
    const suffixes = fc.constantFrom('', 'm', 'k', 'M', 'G', 'T', 'Ki', 'Mi', 'Gi', 'Ti', 'K', 'e', 'Mi ');
    const digits = fc.oneof(
      fc.nat(2_000_000).map(String),
      fc.nat(999).map((n) => `${n}000`),
      fc.constantFrom('', '0', '00', '007', '8', '1024', '999999', '1000000'),
    );
    const outcome = (text: string): unknown => {
      try {
        return parseQuantity(text);
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(digits, suffixes, (number, suffix) => {
        // Texts with surrounding space are not read by the fast path.
        assert.deepEqual(outcome(number + suffix), outcome(` ${number}${suffix}`));
      }),
    );
  });

  it('quantities keep their text through rounding when nothing is rounded', () => {
    assert.equal(formatQuantity(roundUpToMilli(parseQuantity('1.234'))), '1.234');
    assert.equal(formatQuantity(roundUpToMilli(parseQuantity('1.2345'))), '1235m');
  });
});
