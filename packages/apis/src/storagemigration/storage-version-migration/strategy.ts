import type { Draft } from '@orch/kinds/draft';
import type { StorageVersionMigration } from '@orch/kinds/storagemigration';
import { strategyOf } from '../../define-resource.ts';
import type { Strategy, StrategyContext } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { validateMigration, validateMigrationStatus } from './validation.ts';

type Migration = StorageVersionMigration;

/**
 * The annotations that record the position and the progress of a migration are part of its status: only `/status`
 * writes them. Otherwise a client could make a migration succeed that has skipped objects.
 */
function keepProgress(next: Draft<Migration>, old: Migration | undefined, { names }: StrategyContext): void {
  const { migrationContinueToken, migrationProgress } = names.annotations;
  const annotations = { ...next.metadata.annotations };
  for (const key of [migrationContinueToken, migrationProgress]) {
    const stored = old?.metadata.annotations?.[key];
    if (stored === undefined) delete annotations[key];
    else annotations[key] = stored;
  }
  if (Object.keys(annotations).length === 0) delete next.metadata.annotations;
  else next.metadata.annotations = annotations;
}

export const storageVersionMigrationStrategy: Strategy<Migration> = strategyOf<Migration>({
  resetStatus: true,
  prepareForCreate(next, context) {
    next.status = {};
    keepProgress(next, undefined, context);
  },
  prepareForUpdate(next, old, context) {
    keepStatus(next, old, context);
    keepProgress(next, old, context);
  },
  validate: validateMigration,
  through: { status: statusRules(validateMigrationStatus) },
});
