import type { StorageVersionMigrationV1beta1 } from '@orch/kinds/storagemigration';

/** Reports whether a condition of the migration is true. */
export const isConditionTrue = ({ status }: StorageVersionMigrationV1beta1, wanted: string): boolean =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === wanted && value === 'True');
