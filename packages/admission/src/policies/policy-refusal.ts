import { ApiError, errors, type Names, type Status, type Subject } from '@orch/machinery';
import type { AdmissionAttributes } from '../types.ts';
import { type RefusalReason, refusalCodes } from './validation-program.ts';

/** A policy that refuses a write. */
export interface PolicyDenial {
  readonly kind: 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy';
  readonly policy: string;
  /** Undefined when the policy itself cannot be used. */
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: RefusalReason | undefined;
}

/** The error of a write that a policy refuses. */
export function policyRefusal(
  { group, resource, name }: AdmissionAttributes,
  names: Names,
  { kind, policy, binding, message, reason = 'Invalid' }: PolicyDenial,
): ApiError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const subject = { group: names.group(group), kind: resource, name };
  const refused =
    kind === 'MutatingAdmissionPolicy'
      ? failedMutation(subject, `policy '${policy}'${by} denied request: ${message}`)
      : denial(subject, `${kind} '${policy}'${by} denied request: ${message}`, reason);
  // The message of a policy is meant for the client, even about objects that hold credentials.
  return new ApiError(refused, { withoutValues: () => refused });
}

function denial(subject: Subject, why: string, reason: RefusalReason): Status {
  const { status } = errors.forbidden(subject, why, [{ message: why }]);
  return { ...status, reason, code: refusalCodes[reason] };
}

/**
 * A mutation does not judge the object, so its failure has the code of a refusal and the reason of an invalid policy.
 */
function failedMutation(subject: Subject, why: string): Status {
  const { status } = errors.forbidden(subject, why, [{ message: why }]);
  return { ...status, message: why, reason: 'Invalid' };
}
