import type { Env, Names } from '@orch/machinery';
import type { Draft } from './draft.ts';

/** The state shared by all parts of a plan. */
export interface PlanContext {
  readonly draft: Draft;
  readonly names: Names;
  readonly env: Pick<Env, 'clock' | 'random'>;
  /** Certificates that expire within this time are renewed. */
  readonly renewBeforeMs: number;
}
