/** The current step of a migration. */
export interface MigrationProgress {
  readonly phase: 'copy' | 'follow' | 'pause' | 'undo';
  readonly done: number;
  readonly total: number;
}
