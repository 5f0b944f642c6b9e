import type { Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { lossless, mapField, within } from '@orch/schema';
import { PodDisruptionBudget as Hub } from './v1.ts';
import { PodDisruptionBudget } from './v1beta1.ts';

// An empty selector matches nothing here and everything in the hub. Each of the two is converted to a condition on a
// label that no pod has.

const condition = ({ labels }: Names, operator: 'Exists' | 'DoesNotExist'): Record<string, unknown> => ({
  matchExpressions: [{ key: labels.pdbEmptySelector, operator }],
});

const selector = within(
  'spec',
  mapField('selector', {
    toHub(older, { names }) {
      if (jsonEquals(older, {})) return condition(names, 'Exists');
      return jsonEquals(older, condition(names, 'DoesNotExist')) ? {} : older;
    },
    fromHub(hub, { names }) {
      if (jsonEquals(hub, {})) return condition(names, 'DoesNotExist');
      return jsonEquals(hub, condition(names, 'Exists')) ? {} : hub;
    },
  }),
);

export const podDisruptionBudgetLens = lossless(selector, { hub: Hub, older: PodDisruptionBudget });
