import type { Node } from '@orch/kinds/core';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy } from '../../resource-type.ts';
import { keepStatus, restoreAllButStatus } from '../../status-strategy.ts';
import { validateNode, validateNodeStatus, validateNodeUpdate } from './validation.ts';
import { nodeWarnings } from './warnings.ts';

/** Nodes register themselves, so their status may be set when they are created. */
export const nodeStrategy: Strategy<Node> = strategyOf<Node>({
  prepareForCreate(next) {
    const { configSource, ...spec } = next.spec ?? {};
    if (configSource !== undefined) next.spec = spec;
    delete next.status?.config;
  },
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    const { configSource, ...spec } = next.spec ?? {};
    // No longer accepted from clients; an object that still has it keeps it while they send it.
    if (configSource !== undefined && old.spec?.configSource === undefined) next.spec = spec;
  },
  validate: (next, old, context) => [
    ...(old === undefined ? [] : validateNodeUpdate(next, old, context)),
    ...validateNode(next, context),
  ],
  warnings: nodeWarnings,
  through: {
    status: {
      prepareForUpdate(next, old) {
        restoreAllButStatus(next, old);
        if (old.status?.config === undefined) delete next.status?.config;
      },
      validate: (next, _old, context) => validateNodeStatus(next, context),
    },
  },
});
