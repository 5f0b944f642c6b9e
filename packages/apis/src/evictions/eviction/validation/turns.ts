import type {
  EvictionStatusV1alpha1 as EvictionStatus,
  ResponderStatusV1alpha1 as ResponderStatus,
  TargetResponderV1alpha1 as TargetResponder,
} from '@orch/kinds/lifecycle';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { timeMs } from '@orch/machinery/time';
import { hasDuplicates, namesOf, sameNames, TOLERANCE_MS } from './names.ts';

const MINUTE_MS = 60_000;
/** Time without a report after which another responder may take over. */
const HEARTBEAT_DEADLINE_MS = 20 * MINUTE_MS;
/** Lower priorities are those of responders of the system. */
const LOWEST_PRIORITY = 1000;
const EVICTOR_PRIORITY = 100;

const path = 'status.targetResponders';
const ends = ['Canceled', 'Completed', 'Interrupted'] as const;
const isEnded = ({ state = '' }: TargetResponder): boolean => ends.some((end) => end === state);

export interface Outcome {
  /** The eviction has succeeded or failed. */
  readonly isFinal: boolean;
  readonly nowMs: number;
  readonly names: Names;
}

/** By priority, the highest first; then by domain from its last label on, and by the name in it. */
function inOrder(responders: readonly TargetResponder[]): readonly TargetResponder[] {
  const rank = ({ name = '' }: TargetResponder): readonly string[] => {
    const [host = '', key = ''] = name.split('/');
    return [...host.split('.').reverse(), '', key];
  };
  return responders.toSorted((a, b) => {
    if (a.priority !== b.priority) return (b.priority ?? -1) - (a.priority ?? -1);
    const [ranks, others] = [rank(a), rank(b)];
    const at = ranks.findIndex((part, i) => part !== others[i]);
    return at < 0 ? 0 : (ranks[at] ?? '') < (others[at] ?? '') ? -1 : 1;
  });
}

interface Expected {
  readonly states: readonly string[];
  readonly why: string;
}

const inactive: Expected = { states: ['Inactive'], why: 'the previously active has not finished processing' };
const atItsEnd = { states: ends, why: 'the eviction request has finished processing' } as const;

/** The states that each responder may have, in their order. */
function expectedStates(
  responders: readonly TargetResponder[],
  old: readonly TargetResponder[],
  isFinal: boolean,
): readonly Expected[] {
  const active = old.findIndex(({ state }) => state === 'Active');
  const isPassedOn = active >= 0 && responders[active]?.state !== 'Active';
  const last = old.at(-1);
  const isOver = active < 0 && last !== undefined && (isFinal || isEnded(last));
  const next = isPassedOn ? active + 1 : old.length === 0 ? 0 : undefined;
  return responders.map((_, i) => {
    if (i < active || isOver) return { states: [old[i]?.state ?? ''], why: 'final state is immutable' };
    if (i === active) {
      if (isPassedOn) return { states: ends, why: 'this responder must reach a final state' };
      return isFinal ? atItsEnd : { states: ['Active'], why: 'the eviction request stays active' };
    }
    if (i !== next) return inactive;
    return isFinal
      ? { states: inactive.states, why: atItsEnd.why }
      : { states: ['Active'], why: 'this responder is next in line' };
  });
}

function validatePriority(
  at: string,
  { name = '', priority = -1 }: TargetResponder,
  { labelPrefixes }: Names,
): readonly FieldError[] {
  if (priority < 0) return [];
  if (name === `imperative-eviction.${labelPrefixes.apiDomain}/evictor`) {
    const why = `core responder is expected to have priority: ${EVICTOR_PRIORITY}`;
    return priority === EVICTOR_PRIORITY ? [] : [fieldError.invalid(at, priority, why)];
  }
  const why = `priorities 0-${LOWEST_PRIORITY - 1} are reserved for responders of the system`;
  return priority < LOWEST_PRIORITY ? [fieldError.invalid(at, priority, why)] : [];
}

/** A responder that reports progress keeps its turn, and one that is completed has said so. */
function validateEnd(
  at: string,
  { state = '' }: TargetResponder,
  { startTime, heartbeatTime, completionTime }: ResponderStatus,
  { isFinal, nowMs }: Outcome,
): readonly FieldError[] {
  const lastMs = timeMs(heartbeatTime ?? startTime ?? '');
  const isAtWork = startTime !== undefined && completionTime === undefined && !isFinal;
  return [
    ...(state !== 'Active' && isAtWork && nowMs < (lastMs ?? 0) + HEARTBEAT_DEADLINE_MS - TOLERANCE_MS
      ? [fieldError.forbidden(at, 'must stay Active because the responder is in progress')]
      : []),
    ...(state === 'Completed' && completionTime === undefined
      ? [fieldError.invalid(at, state, 'cannot become Completed without a completionTime')]
      : []),
  ];
}

/** The rules of the responders of an eviction: each has its turn once, in order. */
export function validateTurns(
  next: EvictionStatus,
  old: EvictionStatus,
  outcome: Outcome,
): readonly FieldError[] {
  const [responders, before] = [next.targetResponders ?? [], old.targetResponders ?? []];
  if (before.length > 0 && !sameNames(responders, before))
    return [
      fieldError.invalid(path, namesOf(responders).join(), 'must preserve the same length and the same keys'),
    ];
  if (hasDuplicates(responders)) return [];
  const sorted = inOrder(responders);
  const expected = expectedStates(sorted, inOrder(before), outcome.isFinal);
  const positions = new Map(responders.map((responder, position) => [responder, position]));
  const reports = new Map(next.responders?.map((report) => [report.name, report]));
  return sorted.flatMap((responder, i) => {
    const at = `${path}[${positions.get(responder)}]`;
    const progress = reports.get(responder.name);
    const { name = '', state = '' } = responder;
    if (progress === undefined)
      return [
        fieldError.invalid(at, name, `${JSON.stringify(name)} has to be tracked in status.responders first`),
      ];
    const { states = [], why = '' } = expected[i] ?? {};
    const wrong = `must be one of: ${states.join(', ')}, because ${why}`;
    return [
      ...validatePriority(`${at}.priority`, responder, outcome.names),
      ...(states.includes(state)
        ? validateEnd(`${at}.state`, responder, progress, outcome)
        : [fieldError.invalid(`${at}.state`, state, wrong)]),
    ];
  });
}
