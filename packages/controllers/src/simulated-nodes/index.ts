import type { Controller, ControllerContext } from '@orch/client';
import { nodeAgentController } from './node-agent.ts';
import { nodeStatusController } from './node-status.ts';
import type { PodRules } from './pod-rules.ts';
import { schedulerController } from './scheduler.ts';
import { volumeBinderController, volumeReleaseController } from './volumes.ts';

export { simulatedNodes } from './nodes.ts';
export type { FailingPods, PodRules } from './pod-rules.ts';

/**
 * The controllers that play scheduler, nodes and volumes in tests. Their client needs the permissions of an administrator; no
 * `--controllers` selects them.
 */
export const simulationControllers = (context: ControllerContext, rules: PodRules): readonly Controller[] => [
  nodeStatusController(context),
  schedulerController(context),
  nodeAgentController(context, rules),
  volumeBinderController(context),
  volumeReleaseController(context),
];
