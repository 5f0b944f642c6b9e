import type { CronJob, CronJobSpec, JobSpec } from '@orch/kinds/batch';
import { type FieldError, fieldError } from '@orch/machinery';
import { cronProblem, namesTimeZone } from './schedule.ts';
import { timeZoneProblem } from './time-zone.ts';

export function validateCronJob(next: CronJob, old: CronJob | undefined): readonly FieldError[] {
  const spec = next.spec ?? {};
  return [
    ...checkSchedule(spec),
    ...checkTimeZone(spec, old === undefined ? undefined : (old.spec ?? {})),
    ...checkJobTemplate(spec.jobTemplate?.spec ?? {}),
  ];
}

function checkSchedule(spec: CronJobSpec): readonly FieldError[] {
  const schedule = spec.schedule ?? '';
  // The field itself is required by its constraint.
  const wrong = schedule === '' ? undefined : cronProblem(schedule);
  return wrong === undefined ? [] : [fieldError.invalid('spec.schedule', schedule, wrong)];
}

/** The time zone database of the server changes: stored time zones remain valid. */
function checkTimeZone(spec: CronJobSpec, old: CronJobSpec | undefined): readonly FieldError[] {
  const { timeZone, schedule } = spec;
  if (timeZone === undefined) return [];
  const errors: FieldError[] = [];
  if (namesTimeZone(schedule ?? '')) {
    const why = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.push(fieldError.invalid('spec.schedule', schedule, why));
  }
  if (timeZone === old?.timeZone) return errors;
  const wrong = timeZone === '' ? 'must be nil or non-empty string' : timeZoneProblem(timeZone);
  return wrong === undefined ? errors : [...errors, fieldError.invalid('spec.timeZone', timeZone, wrong)];
}

/** Every job gets a selector when it is created. */
function checkJobTemplate({ selector, manualSelector }: JobSpec): readonly FieldError[] {
  const path = 'spec.jobTemplate.spec';
  return [
    ...((selector ?? undefined) === undefined
      ? []
      : [fieldError.invalid(`${path}.selector`, selector, '`selector` will be auto-generated')]),
    ...(manualSelector === true
      ? [fieldError.notSupported(`${path}.manualSelector`, manualSelector, ['false', 'nil'])]
      : []),
  ];
}
