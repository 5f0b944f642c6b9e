import { type FieldError, fieldError } from '@orch/machinery';
import { f, items } from '@orch/schema';

const [prepare, unprepare, all] = ['NodePrepareResources', 'NodeUnprepareResources', '*'] as const;

export const skippedOperationsField = (num: number) =>
  f.list(num, items.string, {
    doc: 'Operations of the driver on the node that are left out for the devices; * for all of them.',
    listType: 'set',
    enum: [all, prepare, unprepare],
    uniqueBy: '',
    gate: 'DRAOptionalNodeOperations',
    since: 'never',
  });

/** The devices are also released on the node when they are prepared there. */
export const checkSkippedOperations = (
  path: string,
  operations: readonly string[] = [],
): readonly FieldError[] =>
  operations.includes(prepare) && !operations.includes(unprepare) && !operations.includes(all)
    ? [
        fieldError.invalid(
          path,
          operations,
          `${prepare} cannot be skipped unless ${unprepare} is also skipped`,
        ),
      ]
    : [];
