import type * as core from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { strategyOf } from '../../define-resource.ts';
import type { ReleaseDifference, Strategy } from '../../resource-type.ts';
import { keepStatus, restoreAllButStatus, statusRules } from '../../status-strategy.ts';
import { validateVolumeUpdate } from './validation.ts';

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

const volumeStrategyOf = ({
  timesPhases,
}: {
  readonly timesPhases: boolean;
}): Strategy<core.PersistentVolume> =>
  strategyOf<core.PersistentVolume>({
    resetStatus: true,
    deleteReturns: 'object',
    prepareForCreate(next, { now }) {
      next.status = { phase: 'Pending', ...(timesPhases ? { lastPhaseTransitionTime: now } : {}) };
    },
    prepareForUpdate: keepStatus,
    validate: (next, old) => (old === undefined ? [] : validateVolumeUpdate(next, old)),
    through: {
      status: timesPhases
        ? {
            prepareForUpdate(next, old, { now }) {
              restoreAllButStatus(next, old);
              keepTransitionTime(next as Volume, old as core.PersistentVolume, now);
            },
          }
        : statusRules(),
    },
  });

export const volumeStrategy: Strategy<core.PersistentVolume> = volumeStrategyOf({ timesPhases: true });

/** Strategies of older releases. */
export const earlierVolumes: readonly ReleaseDifference[] = [
  { before: '1.29', change: { strategy: volumeStrategyOf({ timesPhases: false }) } },
];
