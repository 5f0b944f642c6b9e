import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalIp, formatIp, parseIp } from '@orch/machinery/net';
import { seededRandom } from '@orch/machinery/testing';
import { addressRanges } from './service-ranges.ts';
import { addressRange, BadRange, portRange } from './value-range.ts';

describe('canonical IP addresses', () => {
  for (const [text, canonical] of [
    ['10.0.0.1', '10.0.0.1'],
    ['FD00:0:0:0:0:0:0:1', 'fd00::1'],
    ['fd00::1:0:0:1', 'fd00::1:0:0:1'],
    ['0:0:1:0:0:0:1:1', '0:0:1::1:1'],
    ['::', '::'],
    ['::ffff:10.0.0.1', '::ffff:a00:1'],
    ['1::', '1::'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['10.0.0.256', undefined],
    ['010.0.0.1', undefined],
    ['fe80::1%eth0', undefined],
    ['None', undefined],
  ] as const) {
    it(`the canonical form of ${text} is ${canonical ?? 'none'}`, () =>
      assert.equal(canonicalIp(text), canonical));
  }

  it('every spelling of an address has the same canonical form', () => {
    const random = seededRandom(7);
    for (let i = 0; i < 2000; i++) {
      const groups = Array.from({ length: 8 }, () => (random.int(2) === 0 ? 0 : random.int(65_536)));
      const number = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
      const long = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
      const text = formatIp({ family: 'IPv6', number });
      assert.deepEqual(parseIp(text), { family: 'IPv6', number }, long);
      assert.equal(canonicalIp(long), text);
    }
  });
});

describe('ranges of addresses', () => {
  for (const [text, size, first, last, fixed] of [
    ['10.0.0.0/24', 254, '10.0.0.1', '10.0.0.254', 16],
    ['10.0.0.77/24', 254, '10.0.0.1', '10.0.0.254', 16],
    ['10.96.0.0/12', 2 ** 20 - 2, '10.96.0.1', '10.111.255.254', 256],
    ['10.0.0.0/29', 6, '10.0.0.1', '10.0.0.6', 0],
    ['fd00::/112', 65_535, 'fd00::1', 'fd00::ffff', 256],
    ['255.255.255.0/24', 254, '255.255.255.1', '255.255.255.254', 16],
  ] as const) {
    it(`${text} has ${size} addresses, without network and broadcast addresses`, () => {
      const range = addressRange(text);
      assert.deepEqual([range.size, range.at(0), range.at(size - 1)], [size, first, last]);
      assert.deepEqual([range.offsetOf(first), range.offsetOf(last)], [0, size - 1]);
      assert.equal(range.staticCount, fixed);
    });
  }

  it('a range contains neither its neighbours nor the other family', () => {
    const range = addressRange('10.0.1.0/24');
    for (const value of ['10.0.1.0', '10.0.1.255', '10.0.0.255', '10.0.2.1', '::a00:101', 'None', '']) {
      assert.equal(range.offsetOf(value), undefined, value);
    }
  });

  for (const text of [
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/24/1',
    'x/24',
    '10.0.0.0/11',
    '10.0.0.0/30',
    'fd00::/107',
    'fd00::/126',
    '10.0.0.0/24,10.1.0.0/24',
    '10.0.0.0/24,fd00::/112,fd01::/112',
  ]) {
    it(`the address range ${JSON.stringify(text)} is refused`, () =>
      assert.throws(() => addressRanges(text), BadRange));
  }

  it('two ranges of different families are accepted', () => {
    assert.deepEqual(
      addressRanges('fd00::/112, 10.0.0.0/24').map(({ family }) => family),
      ['IPv6', 'IPv4'],
    );
  });
});

describe('ranges of ports', () => {
  for (const [text, normal, size, fixed] of [
    ['30000-32767', '30000-32767', 2768, 86],
    ['30000+10', '30000-30010', 11, 0],
    ['30080', '30080-30080', 1, 0],
    ['1-65535', '1-65535', 65_535, 128],
  ] as const) {
    it(`the port range ${text} has ${size} ports`, () => {
      const range = portRange(text);
      assert.deepEqual([range.text, range.size, range.staticCount], [normal, size, fixed]);
      assert.equal(range.offsetOf(range.at(size - 1)), size - 1);
      assert.equal(range.offsetOf(String(range.last + 1)), undefined);
    });
  }

  for (const text of ['', '0-10', '10-9', '1-65536', '65535+1', '1-2-3', 'a-b', '-5']) {
    it(`the port range ${JSON.stringify(text)} is refused`, () =>
      assert.throws(() => portRange(text), BadRange));
  }
});
