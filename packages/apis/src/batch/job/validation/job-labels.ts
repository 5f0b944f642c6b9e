import type { Job } from '@orch/kinds/batch';
import type { Names } from '@orch/machinery';

/** Labels with their values. */
export type Labels = Readonly<Record<string, string>>;

/** Labels by which a job identifies its pods. */
export interface JobLabels {
  /** Labels of the pods with their values. */
  of(job: Job, names: Names): Labels;
  /** The label that the selector of a new job uses. */
  selecting(names: Names): string;
}
