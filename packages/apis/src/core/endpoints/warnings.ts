import type { Endpoints } from '@orch/kinds/core';
import { addressWarnings } from '../../address-warnings.ts';
import type { WarningContext } from '../../content-warning.ts';

/** Warns of the addresses of endpoints. */
export const endpointsWarnings = (
  { subsets = [] }: Endpoints,
  _old: Endpoints | undefined,
  { since }: WarningContext,
): readonly string[] =>
  (since('1.33') ? subsets : []).flatMap((subset, i) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip = '' }, j) =>
        addressWarnings(`subsets[${i}].${list}[${j}].ip`, ip, since),
      ),
    ),
  );
