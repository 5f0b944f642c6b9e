import type { StorageVersionMigration } from '@orch/kinds/storagemigration';

/** Reports whether a condition of the migration is true. */
export const isConditionTrue = ({ status }: StorageVersionMigration, wanted: string): boolean =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === wanted && value === 'True');
