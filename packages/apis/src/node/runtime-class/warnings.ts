import type { RuntimeClass } from '@orch/kinds/node';
import type { WarningContext } from '../../content-warning.ts';
import { deprecatedNodeLabel } from '../../node-label-warnings.ts';

/** Warns of deprecated labels by which a class selects nodes. */
export const runtimeClassWarnings = (
  { scheduling }: RuntimeClass,
  _old: RuntimeClass | undefined,
  context: WarningContext,
): readonly string[] =>
  context.since('1.25')
    ? Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
        const message = deprecatedNodeLabel(key, context);
        return message === undefined ? [] : [`scheduling.nodeSelector: ${message}`];
      })
    : [];
