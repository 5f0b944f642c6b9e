import { type ApiObject, type FieldError, fieldError } from '@orch/machinery';
import { asObject, asText, type JsonObject, specOf } from '../../../read.ts';
import { cronProblem, namesTimeZone } from './schedule.ts';
import { timeZoneProblem } from './time-zone.ts';

export function validateCronJob(next: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = specOf(next);
  return [
    ...checkSchedule(spec),
    ...checkTimeZone(spec, old === undefined ? undefined : specOf(old)),
    ...checkJobTemplate(specOf(asObject(spec['jobTemplate']))),
  ];
}

function checkSchedule(spec: JsonObject): readonly FieldError[] {
  const schedule = asText(spec['schedule']);
  // That there is one is a constraint of the member.
  const wrong = schedule === '' ? undefined : cronProblem(schedule);
  return wrong === undefined ? [] : [fieldError.invalid('spec.schedule', schedule, wrong)];
}

/** Zones come and go with the database of the server: what is stored stays valid. */
function checkTimeZone(spec: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const { timeZone, schedule } = spec;
  if (timeZone === undefined) return [];
  const errors: FieldError[] = [];
  if (namesTimeZone(asText(schedule))) {
    const why = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.push(fieldError.invalid('spec.schedule', schedule, why));
  }
  if (timeZone === old?.['timeZone']) return errors;
  const wrong = timeZone === '' ? 'must be nil or non-empty string' : timeZoneProblem(asText(timeZone));
  return wrong === undefined ? errors : [...errors, fieldError.invalid('spec.timeZone', timeZone, wrong)];
}

/** Every job gets a selector when it is made. */
function checkJobTemplate({ selector, manualSelector }: JsonObject): readonly FieldError[] {
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
