import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAllowedAddress, isHostName } from './addresses.ts';

describe('addresses that may be dialled', () => {
  for (const [address, nodeAgent, workload] of [
    ['10.0.0.1', true, true],
    ['192.168.3.4', true, true],
    ['203.0.113.9', true, true],
    ['fd00::2', true, true],
    ['2001:db8::1', true, true],
    ['::ffff:10.0.0.1', true, true],
    ['127.0.0.1', true, false],
    ['127.255.255.254', true, false],
    ['::1', true, false],
    ['::ffff:127.0.0.1', true, false],
    ['::ffff:7f00:1', true, false],
    ['0:0:0:0:0:0:0:1', true, false],
    ['0.0.0.0', false, false],
    ['::', false, false],
    ['::127.0.0.1', false, false],
    ['::10.0.0.1', false, false],
    ['169.254.169.254', false, false],
    ['::ffff:169.254.169.254', false, false],
    ['::FFFF:A9FE:A9FE', false, false],
    ['64:ff9b::169.254.169.254', false, false],
    ['64:ff9b::127.0.0.1', false, false],
    ['fd00:ec2::254', false, false],
    ['fe80::1', false, false],
    ['fe80::1%eth0', false, false],
    ['2001:db8::1%eth0', false, false],
    ['224.0.0.251', false, false],
    ['ff02::1', false, false],
    ['255.255.255.255', false, false],
    ['240.0.0.1', false, false],
    ['', false, false],
    ['localhost', false, false],
    ['10.0.0', false, false],
    ['010.0.0.1', false, false],
    ['10.0.0.1 ', false, false],
    ['10.0.0.1:80', false, false],
    ['[::1]', false, false],
  ] as const) {
    it(`for ${JSON.stringify(address)} node agents are ${nodeAgent}, workloads ${workload}`, () => {
      assert.equal(isAllowedAddress(address, 'nodeAgent'), nodeAgent);
      assert.equal(isAllowedAddress(address, 'workload'), workload);
    });
  }
});

describe('host names of nodes', () => {
  for (const [text, expected] of [
    ['node-1', true],
    ['node-1.example.com', true],
    ['NODE_1.local', true],
    ['1node', true],
    ['1.node', true],
    ['', false],
    ['.', false],
    ['a.', false],
    ['-a', false],
    ['a b', false],
    ['a/b', false],
    ['a@b', false],
    ['a:80', false],
    ['a\u0000', false],
    ['127.1', false],
    ['2130706433', false],
    ['0x7f.1', false],
    ['0x7f000001', false],
    ['0177.0.0.01', false],
    ['a.0x', false],
    [`${'a.'.repeat(130)}a`, false],
    ['a'.repeat(64), false],
  ] as const) {
    it(`isHostName(${JSON.stringify(text.slice(0, 40))}) is ${expected} as expected`, () =>
      assert.equal(isHostName(text), expected));
  }
});
