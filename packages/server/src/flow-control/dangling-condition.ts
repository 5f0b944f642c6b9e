/** The condition of a flow schema that reports whether its priority level is missing. */
export interface DanglingCondition {
  readonly type: 'Dangling';
  readonly status: 'True' | 'False';
  readonly lastTransitionTime: string;
  readonly reason: 'Found' | 'NotFound';
  readonly message: string;
}

/** The condition of a schema whose level exists or does not. */
export function danglingCondition(level: string, exists: boolean, now: string): DanglingCondition {
  const named = `the priority level ${JSON.stringify(level)}`;
  return {
    type: 'Dangling',
    status: exists ? 'False' : 'True',
    lastTransitionTime: now,
    reason: exists ? 'Found' : 'NotFound',
    message: exists ? `${named} exists` : `${named} does not exist`,
  };
}
