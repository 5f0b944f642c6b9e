import type { PodSpec } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { CheckContext } from '@orch/schema';

/** Reports whether containers have policies by default: in the first stage of the feature, where its gate is enabled. */
export const hasResizePolicies = (since: CheckContext['since']): boolean =>
  since('never', 'InPlacePodVerticalScaling') && !since('1.33');

const resizable = ['cpu', 'memory'] as const;

/** By default, containers are not restarted when a resource that they request is resized. */
export function fillResizePolicies(containers: Draft<PodSpec>['containers']): boolean {
  let changed = false;
  for (const container of containers ?? []) {
    const requests = container.resources?.requests ?? {};
    const given = container.resizePolicy ?? [];
    const missing = resizable
      .filter((name) => Object.hasOwn(requests, name))
      .filter((name) => !given.some(({ resourceName }) => resourceName === name));
    if (missing.length === 0) continue;
    container.resizePolicy = [
      ...given,
      ...missing.map((resourceName) => ({ resourceName, restartPolicy: 'NotRequired' })),
    ];
    changed = true;
  }
  return changed;
}
