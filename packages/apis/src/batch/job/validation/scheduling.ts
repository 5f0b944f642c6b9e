import type { JobSpec } from '@orch/kinds/batch';
import { type FieldError, fieldError } from '@orch/machinery';

/** Checks the scheduling of the pods of a job, also of one in a template. */
export function checkScheduling(
  { scheduling, parallelism = 1 }: JobSpec,
  path: string,
): readonly FieldError[] {
  if (scheduling === undefined) return [];
  const { schedulingPolicy: policy, disruptionMode: mode } = scheduling;
  const minCount = policy?.gang?.minCount ?? 0;
  return [
    ...(minCount > parallelism
      ? [
          fieldError.invalid(
            `${path}.scheduling.schedulingPolicy.gang.minCount`,
            minCount,
            `must not be greater than parallelism (${parallelism})`,
          ),
        ]
      : []),
    ...(policy?.gang === undefined && mode?.all !== undefined && mode.single === undefined
      ? [
          fieldError.invalid(
            `${path}.scheduling.disruptionMode`,
            '',
            'the disruptionMode `all` is not supported with the basic policy',
          ),
        ]
      : []),
  ];
}

/** Checks that the pods of a job are still scheduled one by one, or together. */
export function checkKeptPolicy(next: JobSpec | undefined, old: JobSpec | undefined): readonly FieldError[] {
  const [policy, before] = [next, old].map((spec) => spec?.scheduling?.schedulingPolicy);
  if (policy === undefined || before === undefined) return [];
  if ((policy.basic === undefined) === (before.basic === undefined)) return [];
  const why =
    'the basic/gang policy variant is immutable after creation; only schedulingPolicy.gang.minCount may be updated';
  return [fieldError.invalid('spec.scheduling.schedulingPolicy', null, why)];
}
