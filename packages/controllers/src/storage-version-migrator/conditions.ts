import type { kinds } from '@orch/client';
import type { Migration } from './progress.ts';

type Condition = kinds.meta.Condition;

/** The state of a migration, or its result. */
export type State = 'waiting' | 'running' | 'succeeded' | 'failed';

const PREFIX = 'StorageVersionMigration';
/** Reasons may contain messages of servers and webhooks. */
const MAX_MESSAGE_CHARS = 4096;

const cut = (message: string): string =>
  message.length > MAX_MESSAGE_CHARS ? `${message.slice(0, MAX_MESSAGE_CHARS)}…` : message;

export const isFinished = ({ status }: Migration): boolean =>
  (status?.conditions ?? []).some(
    ({ type, status: value }) => (type === 'Succeeded' || type === 'Failed') && value === 'True',
  );

/** The conditions of a migration in a state, with the conditions of others as they are. */
export function conditionsIn(
  { status }: Migration,
  state: State,
  { message, now }: { readonly message: string; readonly now: string },
): readonly Condition[] {
  const present = status?.conditions ?? [];
  const wanted = conditionsOf(state, cut(message));
  const own = wanted.map((condition): Condition => {
    const before = present.find(({ type }) => type === condition.type);
    const since = before?.status === condition.status ? before?.lastTransitionTime : undefined;
    return { ...condition, lastTransitionTime: since ?? now };
  });
  return [...own, ...present.filter(({ type }) => !wanted.some((condition) => condition.type === type))];
}

function conditionsOf(state: State, message: string): readonly Omit<Condition, 'lastTransitionTime'>[] {
  switch (state) {
    case 'waiting':
      return [{ type: 'Running', status: 'False', reason: 'ResourceNotFound', message }];
    case 'running':
      return [{ type: 'Running', status: 'True', reason: `${PREFIX}InProgress`, message }];
    case 'succeeded':
      return [
        { type: 'Running', status: 'False', reason: `${PREFIX}Succeeded`, message: '' },
        { type: 'Succeeded', status: 'True', reason: `${PREFIX}Succeeded`, message },
      ];
    case 'failed':
      return [
        { type: 'Running', status: 'False', reason: `${PREFIX}Failed`, message: '' },
        { type: 'Failed', status: 'True', reason: `${PREFIX}Failed`, message },
      ];
  }
}
