import assert from 'node:assert/strict';
import { isIPv4 } from 'node:net';
import { describe, it } from 'node:test';
import { seededRandom } from '../testing/index.ts';
import { canonicalIp, formatIp, ipBytes, parseIp } from './ip-address.ts';
import { isProperSubrange, parseIpRange, rangeContains } from './ip-range.ts';

describe('IP addresses', () => {
  for (const [text, canonical] of [
    ['::1.2.3.4', '::102:304'],
    ['::ffff:1.2.3.4', '::ffff:102:304'],
    ['0:0:1:0:0:2:3:4', '::1:0:0:2:3:4'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['127.1', undefined],
    ['0x7f.0.0.1', undefined],
    ['1.2.3.04', undefined],
  ] as const) {
    it(`${text} has the canonical text ${canonical ?? 'of no address'}`, () =>
      assert.equal(canonicalIp(text), canonical));
  }

  it('texts of digits and dots are IPv4 addresses exactly if Node takes them for such, and those keep their text', () => {
    const random = seededRandom(4);
    const bytes = ['0', '1', '9', '25', '99', '00', '01', '100', '249', '255', '256', '300', '1000', ''];
    let addresses = 0;
    for (let round = 0; round < 20_000; round++) {
      const parts = Array.from({ length: random.int(8) === 0 ? 3 + random.int(3) : 4 }, () =>
        random.int(4) === 0 ? (bytes[random.int(bytes.length)] ?? '') : String(random.int(256)),
      );
      const text = parts.join('.') + (random.int(40) === 0 ? '.' : '');
      const address = parseIp(text);
      assert.equal(address !== undefined, isIPv4(text), `${text} of seed 4`);
      if (address === undefined) continue;
      addresses += 1;
      assert.deepEqual([canonicalIp(text), formatIp(address), ipBytes(text)?.join('.')], [text, text, text]);
    }
    assert.ok(addresses > 1000 && addresses < 19_000, `${addresses} of 20000 texts are addresses`);
  });

  it('an IPv6 address that ends in dotted decimals has 16 bytes in network order', () => {
    assert.equal(ipBytes('::ffff:1.2.3.4')?.toString('hex'), '00000000000000000000ffff01020304');
    assert.equal(ipBytes('10.0.0.255')?.toString('hex'), '0a0000ff');
    assert.equal(ipBytes('localhost'), undefined);
  });
});

describe('IP ranges', () => {
  const range = (text: string) => parseIpRange(text) ?? assert.fail(`${text} is not a range`);
  const address = (text: string) => parseIp(text) ?? assert.fail(`${text} is not an address`);

  for (const [text, inside, outside] of [
    ['10.1.2.3/8', '10.255.255.255', '11.0.0.0'],
    ['0.0.0.0/0', '255.255.255.255', '::'],
    ['fd00::/112', 'fd00::ffff', 'fd00::1:0'],
    ['::/0', 'ffff::', '1.2.3.4'],
    ['192.168.1.1/32', '192.168.1.1', '192.168.1.2'],
  ] as const) {
    it(`${text} contains ${inside} and does not contain ${outside}`, () => {
      assert.equal(rangeContains(range(text), address(inside)), true);
      assert.equal(rangeContains(range(text), address(outside)), false);
    });
  }

  for (const text of [
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '::/129',
    '/8',
    '10.0.0.0/8/8',
    'fe80::%1/10',
  ]) {
    it(`${text} is not a range`, () => assert.equal(parseIpRange(text), undefined));
  }

  it('a range is not a proper part of itself, of a smaller range, or of one of the other family', () => {
    assert.equal(isProperSubrange(range('10.1.0.0/16'), range('10.0.0.0/8')), true);
    assert.equal(isProperSubrange(range('10.0.0.0/8'), range('10.0.0.0/8')), false);
    assert.equal(isProperSubrange(range('10.0.0.0/8'), range('10.1.0.0/16')), false);
    assert.equal(isProperSubrange(range('::/16'), range('0.0.0.0/0')), false);
  });
});
