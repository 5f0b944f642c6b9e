import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '@orch/machinery';
import { writePath } from '../../testing/write-path.ts';
import { endpoints } from './index.ts';
import { repackSubsets } from './strategy.ts';

const ip = (...all: readonly string[]): readonly object[] => all.map((one) => ({ ip: one }));
const port = (number: number, name = ''): object => ({
  ...(name === '' ? {} : { name }),
  port: number,
  protocol: 'TCP',
});

describe('the canonical form of endpoints', () => {
  for (const [title, subsets, expected] of [
    [
      'puts addresses with the same ports together',
      [
        { addresses: ip('2.2.2.2'), ports: [port(80)] },
        { addresses: ip('1.1.1.1'), ports: [port(80)] },
      ],
      [{ addresses: ip('1.1.1.1', '2.2.2.2'), ports: [port(80)] }],
    ],
    [
      'puts ports with the same addresses together',
      [
        { addresses: ip('1.1.1.1'), ports: [port(81, 'b')] },
        { addresses: ip('1.1.1.1'), ports: [port(80, 'a')] },
      ],
      [{ addresses: ip('1.1.1.1'), ports: [port(80, 'a'), port(81, 'b')] }],
    ],
    [
      'keeps apart what differs',
      [
        { addresses: ip('2.2.2.2'), ports: [port(81)] },
        { addresses: ip('1.1.1.1'), ports: [port(80)] },
      ],
      [
        { addresses: ip('1.1.1.1'), ports: [port(80)] },
        { addresses: ip('2.2.2.2'), ports: [port(81)] },
      ],
    ],
    [
      'takes an address that is not ready in one place as not ready',
      [
        { addresses: ip('1.1.1.1'), ports: [port(80)] },
        { notReadyAddresses: ip('1.1.1.1'), ports: [port(80)] },
      ],
      [{ notReadyAddresses: ip('1.1.1.1'), ports: [port(80)] }],
    ],
    [
      'keeps addresses without ports',
      [{ addresses: ip('1.1.1.1') }, { notReadyAddresses: ip('2.2.2.2') }],
      [{ addresses: ip('1.1.1.1'), notReadyAddresses: ip('2.2.2.2') }],
    ],
    [
      'tells addresses of different pods apart',
      [
        {
          addresses: [
            { ip: '1.1.1.1', targetRef: { uid: 'b' } },
            { ip: '1.1.1.1', targetRef: { uid: 'a' } },
          ],
          ports: [port(80)],
        },
      ],
      [
        {
          addresses: [
            { ip: '1.1.1.1', targetRef: { uid: 'a' } },
            { ip: '1.1.1.1', targetRef: { uid: 'b' } },
          ],
          ports: [port(80)],
        },
      ],
    ],
    ['is empty for nothing', [], []],
  ] as const) {
    it(title, () => {
      const packed = repackSubsets(subsets as readonly Readonly<Record<string, unknown>>[]);
      assert.deepEqual(packed, expected);
      assert.deepEqual(repackSubsets(packed), expected, 'and stays as it is');
    });
  }

  it('the canonical form of endpoints is that of stored objects, whatever the client sent', () => {
    const subsets = [
      { addresses: ip('2.2.2.2'), ports: [{ port: 80 }] },
      { addresses: ip('1.1.1.1'), ports: [{ port: 80 }] },
    ];
    const { object } = writePath().create(endpoints, { metadata: { name: 'e' }, subsets });
    assert.deepEqual(object['subsets'], [{ addresses: ip('1.1.1.1', '2.2.2.2'), ports: [port(80)] }]);
  });
});

describe('the canonical form of large endpoints', () => {
  const addresses = Array.from({ length: 20_000 }, (_, i) => ({ ip: `10.0.${i >> 8}.${i & 255}` }));

  it('a subset with thousands of ports and addresses is not multiplied', () => {
    const ports = Array.from({ length: 20_000 }, (_, i) => port(1 + i));
    const [only, ...others] = repackSubsets([{ addresses, ports }]);
    assert.deepEqual([only?.addresses?.length, only?.ports?.length, others.length], [20_000, 20_000, 0]);
  });

  it('subsets whose ports would each repeat thousands of addresses are refused as too large', () => {
    const ports = Array.from({ length: 1_000 }, (_, i) => port(1 + i));
    const single = ports.map((one, i) => ({ addresses: ip(`10.1.${i >> 8}.${i & 255}`), ports: [one] }));
    assert.throws(
      () => repackSubsets([{ addresses, ports }, ...single]),
      (cause) => cause instanceof ApiError && cause.status.code === 413,
    );
  });
});
