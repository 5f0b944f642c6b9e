import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formats, validateFormat, validateNamePrefix } from './formats.ts';

const a = (count: number): string => 'a'.repeat(count);

const table: readonly [format: string, good: readonly unknown[], bad: readonly unknown[]][] = [
  [
    'dns1123label',
    ['a', '1', 'a-b', '1-a', a(63)],
    ['', 'A', '-a', 'a-', 'a.b', 'a_b', a(64), 'a\n', 'é', 5],
  ],
  [
    'dns1123subdomain',
    ['a', 'a.b', 'a-b.c-d', '1.2', a(253)],
    ['', '.', 'a.', '.a', 'a..b', 'a.-b', 'A.b', a(254)],
  ],
  ['dns1035label', ['a', 'a1', 'a-b', a(63)], ['', '1a', 'a-', 'a.b', a(64)]],
  ['wildcardSubdomain', ['*.a', '*.a.b'], ['*', '*.', 'a.b', '*.*.a', '*a.b']],
  [
    'qualifiedName',
    ['a', 'A', 'a.b_c-D', 'x.io/a', `${a(253)}/${a(63)}`],
    ['', '/a', 'a/', 'a/b/c', '-a', 'a-', 'a b', 'X.io/a', a(64), `${a(254)}/a`, '__proto__'],
  ],
  ['labelValue', ['', 'a', 'A.b_c-1', a(63)], ['-a', 'a-', 'a b', 'a/b', a(64), '.']],
  ['pathSegment', ['a', 'A:b_c', 'a b', '...', 'é'], ['.', '..', 'a/b', 'a%b']],
  ['portNumber', [1, 80, 65535], [0, 65536, -1, 1.5, '80', null]],
  ['portName', ['http', 'a-1', '1a'], ['', 'A', '1', '-a', 'a-', 'a--b', 'a_b', a(16)]],
  ['percent', ['0%', '100%', '999%'], ['', '%', '1', '-1%', '1.5%', ' 1%']],
  ['envVarName', ['A', '_a', '.a', '-a', 'a.b-c_1'], ['', '1a', 'a b', 'a=b', '.', '..', '..a']],
  ['printableVarName', ['A', '1a', 'a b', '..', '~!'], ['', 'a=b', 'a\tb', 'ä', '\x7f']],
  ['configMapKey', ['a', '1', '.a', 'A_b-c.d', a(253)], ['', 'a/b', '.', '..', '..a', a(254)]],
  ['httpHeaderName', ['X-A', '1'], ['', 'a b', 'a:', 'a_b']],
  ['cIdentifier', ['_a', 'A1'], ['', '1a', 'a-b']],
  ['userOrGroupID', [0, 2147483647], [-1, 2147483648, 1.5, '0']],
  ['fileMode', [0, 511], [-1, 512, '0644']],
  ['sysctl', ['kernel.shm_rmid_forced', 'a', 'a-b.c'], ['', '.a', 'a.', 'a..b', 'A', 'a/b', a(254)]],
  ['webhookName', ['a.b.c', 'a.b.c.d'], ['', 'a.b', 'a', 'A.b.c']],
  ['crdGroup', ['a.b', 'a.b.c'], ['', 'a', 'a.']],
  ['conditionReason', ['A', 'Reason1', 'A,B', 'A:b_', a(1024)], ['', '1a', 'a ', 'A,', a(1025)]],
  [
    'ip',
    ['10.0.0.1', '::1', '2001:db8::1', '::ffff:1.2.3.4'],
    ['', '1.2.3', '256.1.1.1', '01.2.3.4', '1.2.3.4/8', 'fe80::1%eth0', 'a'],
  ],
  [
    'specialIp',
    ['10.0.0.1', '2001:db8::1', '239.0.0.1', '::ffff:10.0.0.1', 'ff0e::1'],
    [
      '0.0.0.0',
      '127.0.0.1',
      '127.9.9.9',
      '169.254.1.1',
      '224.0.0.1',
      '::',
      '::1',
      'fe80::1',
      'febf::1',
      'ff02::1',
      'ff12::1',
      '::ffff:127.0.0.1',
      '0:0:0:0:0:0:0:1',
      'x',
    ],
  ],
  [
    'cidr',
    ['10.0.0.0/8', '0.0.0.0/0', '::/0', '2001:db8::/128'],
    ['', '10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', '::/129', '10.0.0.0/-1', '/8', '10.0.0.0/8/8'],
  ],
  ['strictIp', ['10.0.0.1', '::1'], ['::ffff:1.2.3.4', '::ffff:102:304', '01.2.3.4', 'x']],
  ['strictSpecialIp', ['10.0.0.1', '2001:db8::1'], ['::ffff:10.0.0.1', '127.0.0.1', 'x']],
  [
    'strictCidr',
    ['10.0.0.0/8', '0.0.0.0/0', '::/0', '10.0.0.1/32', '2001:db8::/32', '::1/128'],
    ['10.0.0.1/8', '2001:db8::1/64', '::ffff:10.0.0.0/104', '10.0.0.0', 'x'],
  ],
  ['csiDriverName', ['a.b', a(63)], ['', 'A', a(64)]],
  ['positiveIntOrPercent', [0, 5, '5%', '200%'], [-1, 1.5, '5', '', null]],
  ['notOver100', [5, '100%', '0%'], ['101%']],
];

describe('formats of strings', () => {
  for (const [format, good, bad] of table) {
    it(`${format} accepts what it should`, () => {
      for (const value of good) assert.equal(validateFormat(format, value), undefined, JSON.stringify(value));
    });
    it(`${format} refuses what it should, and says what it expected`, () => {
      for (const value of bad) {
        const message = validateFormat(format, value);
        assert.ok(message !== undefined && message.length > 5, JSON.stringify(value));
      }
    });
  }

  it('formats of strings are all in this test', () =>
    assert.deepEqual(table.map(([name]) => name).sort(), Object.keys(formats).sort()));

  it('formats of strings show the expression without their inner wrapping', () => {
    assert.equal(
      validateFormat('dns1123label', 'A'),
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name', or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    );
  });

  it('formats of strings throw on a name that is not a format', () => {
    for (const name of ['nope', 'toString', '__proto__'])
      assert.throws(() => validateFormat(name, 'a'), TypeError);
  });

  it('answer in linear time for long malicious strings', () => {
    for (const piece of ['a', 'a-', '-', 'a.', '.', 'a_', ',', '1', 'a/', '::', '0.']) {
      const text = `${piece.repeat(200_000)}!`;
      for (const format of Object.keys(formats)) {
        const start = process.hrtime.bigint();
        validateFormat(format, text);
        const ms = Number(process.hrtime.bigint() - start) / 1e6;
        assert.ok(ms < 500, `${format} took ${ms} ms for ${piece}`);
      }
    }
  });

  it('formats never throw, regardless of the value', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...Object.keys(formats)), (value, format) => {
        const message = validateFormat(format, value);
        assert.ok(message === undefined || typeof message === 'string');
      }),
    );
  });
});

describe('format of generateName', () => {
  it('the format of generateName tolerates a hyphen at the end, and nothing else', () => {
    for (const prefix of ['a', 'a-', 'a.b-', 'web-'])
      assert.equal(validateNamePrefix('dns1123subdomain', prefix), undefined, prefix);
    for (const prefix of ['-', 'A-', 'a_', 'a.', '-a-'])
      assert.notEqual(validateNamePrefix('dns1123subdomain', prefix), undefined, prefix);
    assert.equal(validateNamePrefix('pathSegment', 'A:'), undefined);
  });
});
