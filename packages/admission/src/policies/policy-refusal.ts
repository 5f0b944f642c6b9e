import { ApiError, errors, type Names } from '@orch/machinery';
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
  const why = `${kind} '${policy}'${by} denied request: ${message}`;
  const subject = { group: names.group(group), kind: resource, name };
  const { status } = errors.forbidden(subject, why, [{ message: why }]);
  const refused = { ...status, reason, code: refusalCodes[reason] };
  // What a policy says is meant for the client, also about objects that hold credentials.
  return new ApiError(refused, { withoutValues: () => refused });
}
