import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { checkSysctls } from './sysctls.ts';

const expectedOverlap = (a: string, b: string): boolean => {
  const [startA, startB] = [a, b].map((pattern) => pattern.replace(/\*$/, '')) as [string, string];
  if (a === b) return true;
  return (a.endsWith('*') && startB.startsWith(startA)) || (b.endsWith('*') && startA.startsWith(startB));
};

describe('kernel parameters of a pod security policy', () => {
  it('an allowed pattern has an error exactly if it overlaps with a forbidden one', () => {
    const random = seededRandom(7);
    const pattern = (): string =>
      Array.from({ length: 1 + random.int(3) }, () => 'ab'[random.int(2)]).join('') +
      (random.int(2) === 0 ? '*' : '');
    const patterns = (): readonly string[] => Array.from({ length: random.int(5) }, pattern);
    for (let round = 0; round < 2000; round++) {
      const [allowedUnsafeSysctls, forbiddenSysctls] = [patterns(), patterns()];
      const errors = checkSysctls('spec', { allowedUnsafeSysctls, forbiddenSysctls } as never);
      assert.deepEqual(
        errors.map(({ field }) => field),
        allowedUnsafeSysctls.flatMap((allowed, i) =>
          forbiddenSysctls.some((forbidden) => expectedOverlap(allowed, forbidden))
            ? [`spec.allowedUnsafeSysctls[${i}]`]
            : [],
        ),
        JSON.stringify({ allowedUnsafeSysctls, forbiddenSysctls }),
      );
    }
  });
});
