import { type FieldError, fieldError } from '@orch/machinery';
import type { Policy } from './policy.ts';
import type { ReviewedPod } from './rule.ts';

/** The policy that admits a pod, and the pod with the defaults of the policy. */
export interface Admitted {
  readonly policy: string;
  readonly pod: ReviewedPod;
  /** Whether the policy sets any field. */
  readonly isChanged: boolean;
}

/** Errors of the policies that may be used for a pod, none of which admits it. */
export type Choice = Admitted | { readonly errors: readonly FieldError[] };

export interface ChoiceParts {
  /** In the order in which they are applied. */
  readonly policies: readonly Policy[];
  readonly mayChange: boolean;
  readonly mayUse: (policy: string) => Promise<boolean>;
}

/**
 * Chooses the first policy that admits the pod unchanged; if there is none and the pod may be changed, the first one
 * that admits it with its defaults.
 */
export async function choosePolicy(
  pod: ReviewedPod,
  { policies, mayChange, mayUse }: ChoiceParts,
): Promise<Choice> {
  const refusing: { readonly policy: string; readonly errors: readonly FieldError[] }[] = [];
  let changing: Admitted | undefined;
  for (const each of policies) {
    const completed = each.complete(pod);
    const isChanged = completed !== pod;
    const errors = errorsOf(each, completed, isChanged && !mayChange);
    const policy = each.name;
    if (errors.length > 0) refusing.push({ policy, errors });
    else if ((!isChanged || changing === undefined) && (await mayUse(policy))) {
      const admitted = { policy, pod: completed, isChanged };
      if (!isChanged) return admitted;
      changing = admitted;
    }
  }
  if (changing !== undefined) return changing;
  const usable: FieldError[] = [];
  for (const { policy, errors } of refusing) if (await mayUse(policy)) usable.push(...errors);
  return { errors: usable };
}

function errorsOf(policy: Policy, completed: ReviewedPod, isRefusedChange: boolean): readonly FieldError[] {
  const errors = policy.check(completed);
  if (errors.length > 0 || !isRefusedChange) return errors;
  const why = `policy ${JSON.stringify(policy.name)} sets defaults for new pods only, and some are missing`;
  return [fieldError.forbidden('spec', why)];
}
