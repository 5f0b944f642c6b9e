import type { kinds } from '@orch/client';
import type { Description } from '../text/description.ts';
import { orNone, selectorText, sortedBy } from '../text/values.ts';

export function describeTolerations(
  out: Description,
  tolerations: readonly kinds.core.Toleration[] | undefined,
  margin = '',
): void {
  out.list(`${margin}Tolerations`, sortedBy(tolerations, ({ key = '' }) => key).map(tolerationText));
}

function tolerationText({
  key = '',
  value = '',
  effect = '',
  operator,
  tolerationSeconds,
}: kinds.core.Toleration): string {
  const what = `${key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
  const gap = key === '' && effect === '' ? '' : ' ';
  const exists = operator === 'Exists' && value === '' ? `${gap}op=Exists` : '';
  return `${what}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`;
}

export function describeSpread(
  out: Description,
  constraints: readonly kinds.core.TopologySpreadConstraint[] = [],
  margin = '',
): void {
  if (constraints.length === 0) return;
  const texts = sortedBy(constraints, ({ topologyKey }) => topologyKey).map(
    ({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => {
      const selector =
        labelSelector === undefined ? '' : ` for selector ${orNone(selectorText(labelSelector))}`;
      return `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${selector}`;
    },
  );
  out.list(`${margin}Topology Spread Constraints`, texts, margin);
}
