import type { kinds } from '@orch/client';

type Pod = kinds.core.Pod;
type Rule = kinds.batch.PodFailurePolicyRule;

/** What a failed pod means for its job. */
export interface FailureVerdict {
  readonly action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';
  /** For the condition of the job. */
  readonly message: string;
}

/** The actions that this release knows. */
const actions = ['FailJob', 'FailIndex', 'Ignore'] as const;
const counted: FailureVerdict = { action: 'Count', message: '' };

/** The verdict of the first rule that matches a failed pod; without one, the failure counts. */
export function verdictOf(pod: Pod, policy: kinds.batch.PodFailurePolicy | undefined): FailureVerdict {
  for (const [at, rule] of (policy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod);
    if (match === undefined) continue;
    const action = actions.find((one) => one === rule.action);
    if (action === undefined) return counted;
    return { action, message: `${match} matching ${action} rule at index ${at}` };
  }
  return counted;
}

function matchOf({ onExitCodes, onPodConditions }: Rule, { status, metadata }: Pod): string | undefined {
  const of = `for pod ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  if (onExitCodes !== undefined && onExitCodes !== null) {
    const { containerName, operator, values } = onExitCodes;
    const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
    const ended = all.find(({ name, state }) => {
      const code = state?.terminated?.exitCode ?? 0;
      if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
      return (values ?? []).includes(code) === (operator === 'In');
    });
    if (ended === undefined) return undefined;
    return `Container ${ended.name} ${of} failed with exit code ${ended.state?.terminated?.exitCode ?? 0}`;
  }
  const condition = (status?.conditions ?? []).find((each) =>
    (onPodConditions ?? []).some(
      (pattern) => pattern.type === each.type && (pattern.status || 'True') === each.status,
    ),
  );
  return condition === undefined
    ? undefined
    : `Pod ${metadata.namespace ?? ''}/${metadata.name ?? ''} has condition ${condition.type}`;
}
