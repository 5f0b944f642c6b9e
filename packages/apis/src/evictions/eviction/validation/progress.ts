import type {
  EvictionStatusV1alpha1 as EvictionStatus,
  ResponderStatusV1alpha1 as ResponderStatus,
} from '@orch/kinds/lifecycle';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { timeMs } from '@orch/machinery/time';
import { hasDuplicates, namesOf, sameNames, TOLERANCE_MS } from './names.ts';

const YEAR_MS = 365 * 24 * 60 * 60_000;
const LONGEST_MS = 10 * YEAR_MS;

const path = 'status.responders';

type Time = 'startTime' | 'heartbeatTime' | 'expectedCompletionTime' | 'completionTime';

/** The times of a responder before and after a write. */
class Times {
  readonly #next: ResponderStatus;
  readonly #old: ResponderStatus;
  readonly #nowMs: number;

  constructor(next: ResponderStatus, old: ResponderStatus, nowMs: number) {
    this.#next = next;
    this.#old = old;
    this.#nowMs = nowMs;
  }

  ms(field: Time): number | undefined {
    const text = this.#next[field];
    return text === undefined || text === null ? undefined : timeMs(text);
  }

  oldMs(field: Time): number | undefined {
    const text = this.#old[field];
    return text === undefined || text === null ? undefined : timeMs(text);
  }

  changes(field: Time): boolean {
    return this.ms(field) !== this.oldMs(field);
  }

  isNow(field: Time): boolean {
    const ms = this.ms(field);
    return ms !== undefined && Math.abs(ms - this.#nowMs) < TOLERANCE_MS;
  }

  get nowMs(): number {
    return this.#nowMs;
  }
}

const PRESENT = 'must be set to the present time';

/** The reason why a time may not stand beside the start; undefined where it may. */
function besideStart(times: Times, field: Time): string | undefined {
  const [ms = 0, startMs] = [times.ms(field), times.ms('startTime')];
  if (startMs === undefined) return 'cannot be set before startTime is set';
  return ms < startMs ? 'must occur after startTime' : undefined;
}

function heartbeatProblem(times: Times): string | undefined {
  const [ms = 0, oldMs = 0] = [times.ms('heartbeatTime'), times.oldMs('heartbeatTime')];
  if (times.ms('startTime') !== undefined && ms < oldMs) return 'cannot be decreased';
  return besideStart(times, 'heartbeatTime') ?? (times.isNow('heartbeatTime') ? undefined : PRESENT);
}

function expectationProblem(times: Times): string | undefined {
  const ms = times.ms('expectedCompletionTime') ?? 0;
  const beside = besideStart(times, 'expectedCompletionTime');
  if (beside !== undefined) return beside;
  if (ms < times.nowMs - TOLERANCE_MS) return 'cannot be set to the past time';
  return ms > times.nowMs + LONGEST_MS ? 'must complete within 10 years' : undefined;
}

function completionProblem(times: Times): string | undefined {
  const isNew = times.changes('completionTime');
  return (
    besideStart(times, 'completionTime') ?? (isNew && !times.isNow('completionTime') ? PRESENT : undefined)
  );
}

function validateTimes(at: string, times: Times, isActive: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const report = (field: Time, why: string | undefined): void => {
    if (why !== undefined) errors.push(fieldError.invalid(`${at}.${field}`, times.ms(field) ?? null, why));
  };
  // The schema reports a start or a completion that changes once it is set.
  const isKept = (field: Time): boolean => times.oldMs(field) === undefined || !times.changes(field);
  if (isKept('startTime')) {
    if (times.ms('startTime') === undefined) {
      if (isActive)
        errors.push(fieldError.required(`${at}.startTime`, 'is required for an active responder'));
    } else if (times.changes('startTime'))
      report('startTime', times.isNow('startTime') ? undefined : PRESENT);
  }
  if (times.ms('heartbeatTime') !== undefined) {
    if (times.changes('heartbeatTime')) report('heartbeatTime', heartbeatProblem(times));
  } else if (times.oldMs('heartbeatTime') !== undefined)
    errors.push(fieldError.required(`${at}.heartbeatTime`, 'is required once set'));
  if (times.changes('expectedCompletionTime') && times.ms('expectedCompletionTime') !== undefined)
    report('expectedCompletionTime', expectationProblem(times));
  if (isKept('completionTime') && times.ms('completionTime') !== undefined)
    report('completionTime', completionProblem(times));
  return errors;
}

/** The rules of the progress that responders report: only the active one changes its part. */
export function validateProgress(
  { targetResponders = [], responders = [] }: EvictionStatus,
  old: EvictionStatus,
  nowMs: number,
): readonly FieldError[] {
  if (!sameNames(responders, targetResponders))
    return [
      fieldError.invalid(
        path,
        namesOf(responders).join(),
        'must contain the same keys as status.targetResponders',
      ),
    ];
  if (hasDuplicates(responders)) return [];
  const active = new Set(namesOf(targetResponders.filter(({ state }) => state === 'Active')));
  const stored = new Map(old.responders?.map((responder) => [responder.name, responder]));
  return responders.flatMap((responder, i) => {
    const at = `${path}[${i}]`;
    const isActive = active.has(responder.name ?? '');
    const before = stored.get(responder.name);
    if (before !== undefined && !isActive && !jsonEquals(responder, before))
      return [fieldError.invalid(at, responder.name ?? '', 'field is immutable')];
    return validateTimes(at, new Times(responder, before ?? {}, nowMs), isActive);
  });
}
