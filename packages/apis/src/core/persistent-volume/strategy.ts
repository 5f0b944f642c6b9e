import type * as core from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { keepStatus, restoreAllButStatus } from '../../status-strategy.ts';
import { validateVolumeUpdate } from './validation.ts';
import { volumeWarnings } from './warnings.ts';

type Volume = Draft<core.PersistentVolume>;

/** Keeps the time of the last change of the phase, and sets it when the phase changes without another time. */
function keepTransitionTime({ status }: Volume, old: core.PersistentVolume, now: string): void {
  if (status === undefined) return;
  const before = old.status?.lastPhaseTransitionTime;
  const { lastPhaseTransitionTime: given } = status;
  if (status.phase === old.status?.phase) {
    if (given === undefined && before !== undefined) status.lastPhaseTransitionTime = before;
  } else if (given === undefined || given === before) status.lastPhaseTransitionTime = now;
}

/** Reports whether the status has the time of the last change of the phase. */
const timesPhases = ({ since }: StrategyContext): boolean =>
  since('1.29', 'PersistentVolumeLastPhaseTransitionTime');

export const volumeStrategy: Strategy<core.PersistentVolume> = strategyOf<core.PersistentVolume>({
  resetStatus: true,
  deleteReturns: 'object',
  prepareForCreate(next, context) {
    next.status = {
      phase: 'Pending',
      ...(timesPhases(context) ? { lastPhaseTransitionTime: context.now } : {}),
    };
  },
  prepareForUpdate: keepStatus,
  validate: (next, old) => (old === undefined ? [] : validateVolumeUpdate(next, old)),
  warnings: volumeWarnings,
  through: {
    status: {
      prepareForUpdate(next, old, context) {
        restoreAllButStatus(next, old);
        if (timesPhases(context))
          keepTransitionTime(next as Volume, old as core.PersistentVolume, context.now);
      },
    },
  },
});
