import assert from 'node:assert/strict';
import { parseIp, parseIpRange } from '@orch/machinery/net';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  QuantityError,
  subtractQuantities,
} from '@orch/machinery/quantity';
import {
  canonicalMicroTime,
  canonicalTime,
  formatDuration,
  parseDuration,
  parseNamedDuration,
  parseTime,
} from '@orch/machinery/time';
import { type FuzzTarget, unlessRefused } from '../target.ts';

/**
 * The canonical form of a quantity, a time or a duration is its own canonical form. That of a quantity with a binary suffix may have none
 * and is then read as a decimal one, as in the reference: 62.5Ki is stored as 64000, and this again as 64k.
 */
export const target: FuzzTarget = {
  seeds: [
    ...[
      '100m',
      '1.5Gi',
      '-3e5',
      '12E',
      '.5',
      '0.000000001n',
      '2024-02-29T23:59:60Z',
      '2024-01-01T00:00:00.123456+05:30',
    ],
    ...[
      '1h2m3.5s',
      '300ms',
      '-1.5us',
      '2562047h47m16.854775807s',
      '10.0.0.1/8',
      'fe80::1%eth0',
      '::ffff:1.2.3.4/96',
    ],
  ],
  words: ['Ki', 'Ei', 'e-', 'µs', 'T00:00:00Z', '::ffff:', '/32'],
  check(data) {
    const text = data.toString('utf8');
    const quantity = unlessRefused(() => parseQuantity(text), QuantityError)?.value;
    if (quantity !== undefined) {
      const canonical = canonicalQuantity(text);
      const again = canonicalQuantity(canonical);
      if (quantity?.format !== 'binarySI') assert.equal(again, canonical);
      assert.equal(canonicalQuantity(again), again);
      const twice = addQuantities(quantity, quantity);
      assert.equal(compareQuantities(subtractQuantities(twice, quantity), quantity), 0);
    }
    if (parseTime(text) !== undefined)
      for (const canonical of [canonicalTime, canonicalMicroTime])
        assert.equal(canonical(canonical(text) ?? ''), canonical(text));
    const duration = parseDuration(text);
    if (duration !== undefined) assert.equal(parseDuration(formatDuration(duration)), duration);
    parseNamedDuration(text);
    parseIp(text);
    parseIpRange(text);
  },
};
