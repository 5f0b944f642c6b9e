import type { DryRun } from '../../cli/write-flags.ts';
import type { Io } from '../../io.ts';
import type { Target } from '../../resources/targets.ts';
import type { Session } from '../../session/session.ts';
import { type ChangedObject, changeObject } from '../write/change-object.ts';
import { type Node, nodeClient } from './node-targets.ts';

export interface SchedulableRequest {
  readonly session: Session;
  readonly flags: { readonly dryRun: DryRun };
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** Sets whether pods are scheduled to a node. Resolves with the node, and whether that has changed. */
export const setSchedulable = (
  target: Target,
  isSchedulable: boolean,
  { session, flags, io, signal }: SchedulableRequest,
): Promise<ChangedObject<Node>> =>
  changeObject<Node>({
    ...{ client: nodeClient(session, target), name: target.name, flags, io, signal },
    change: (node) => {
      if ((node.spec?.unschedulable !== true) === isSchedulable) return node;
      const { unschedulable: _, ...spec } = node.spec ?? {};
      return { ...node, spec: isSchedulable ? spec : { ...spec, unschedulable: true } };
    },
  });
