import type { Toleration } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import { podSpecOf } from '../shared/pods.ts';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionPlugin } from '../types.ts';

/** Time in seconds that pods stay on nodes that are not ready or unreachable. */
export interface TolerationSeconds {
  readonly notReady: number;
  readonly unreachable: number;
}

export interface DefaultTolerationSecondsParts {
  readonly names: Names;
  readonly tolerationSeconds: TolerationSeconds;
}

const EFFECT = 'NoExecute';

/**
 * `DefaultTolerationSeconds`: pods that specify no toleration for nodes that are not ready or unreachable tolerate them for
 * a limited time.
 */
export function defaultTolerationSeconds({
  names,
  tolerationSeconds,
}: DefaultTolerationSecondsParts): AdmissionPlugin {
  const defaults: readonly (readonly [key: string, seconds: number])[] = [
    [names.taints.notReady, tolerationSeconds.notReady],
    [names.taints.unreachable, tolerationSeconds.unreachable],
  ];
  return {
    name: 'DefaultTolerationSeconds',
    handles: writesOf('', 'pods', 'CREATE', 'UPDATE'),
    mutate(write) {
      const spec = podSpecOf(write);
      if (spec === undefined) return undefined;
      const present = spec.tolerations ?? [];
      const added = defaults
        .filter(([key]) => !present.some((toleration) => tolerates(toleration, key)))
        .map(([key, seconds]) => ({ key, operator: 'Exists', effect: EFFECT, tolerationSeconds: seconds }));
      if (added.length > 0) spec.tolerations = [...present, ...added];
      return undefined;
    },
  };
}

/** Reports whether a toleration covers a taint: an empty key or effect matches all. */
const tolerates = ({ key = '', effect = '' }: Toleration, taint: string): boolean =>
  (key === '' || key === taint) && (effect === '' || effect === EFFECT);
