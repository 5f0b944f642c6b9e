/** What a migration does now. */
export interface MigrationProgress {
  readonly phase: 'copy' | 'follow' | 'pause' | 'undo';
  readonly done: number;
  readonly total: number;
}
