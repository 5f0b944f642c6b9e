import type { Node } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import type { Names } from '@orch/machinery';
import { writesOf } from '../shared/targets.ts';
import type { AdmissionPlugin } from '../types.ts';

const EFFECT = 'NoSchedule';

/** `TaintNodesByCondition`: no pods are scheduled to a new node until a controller has observed that it is ready. */
export const taintNodesByCondition = ({ names }: { readonly names: Names }): AdmissionPlugin => ({
  name: 'TaintNodesByCondition',
  handles: writesOf('', 'nodes', 'CREATE'),
  mutate({ object }) {
    if (object === undefined) return undefined;
    const node = object as Draft<Node>;
    const key = names.taints.notReady;
    const { taints = [] } = node.spec ?? {};
    if (!taints.some((taint) => taint.key === key && taint.effect === EFFECT))
      node.spec = { ...node.spec, taints: [...taints, { key, effect: EFFECT }] };
    return undefined;
  },
});
