import type { Release } from '@orch/apis';
import type { Pod } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import { checkedPod } from '../pod-security/checks/check.ts';
import { detailsText, Evaluator, reasonsText } from '../pod-security/evaluator.ts';
import type { LevelVersion } from '../pod-security/levels.ts';

/** How a release evaluates a pod: the texts of refusals and of warnings about existing pods. */
export function podSecurityViolations(
  pod: Pick<Pod, 'metadata' | 'spec'>,
  level: LevelVersion,
  { names, release }: { readonly names: Names; readonly release: Release },
): { readonly reasons: string; readonly details: string } {
  const violations = new Evaluator(release).evaluate(level, checkedPod(pod, names));
  return { reasons: reasonsText(violations), details: detailsText(violations) };
}
