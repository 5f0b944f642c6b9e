import { allows, type Operation } from './compiled-rule.ts';
import type { RbacPolicy } from './policy.ts';

/** A user or group; service accounts are users. */
export interface AllowedSubject {
  readonly kind: 'User' | 'Group';
  readonly name: string;
}

/** Subjects to which roles grant an operation, in the order of kind and name. Not all who may do it: other authorizers may allow it. */
export function allowedSubjects(policy: RbacPolicy, operation: Operation): readonly AllowedSubject[] {
  const namespace = operation.isResource ? operation.namespace : '';
  const keys = new Set<string>();
  for (const { binding, slot } of policy.bound()) {
    if (binding.namespace !== '' && binding.namespace !== namespace) continue;
    if (!slot.role?.rules.some((rule) => allows(rule, operation))) continue;
    for (const subject of binding.subjects) keys.add(subject);
  }
  return [...keys]
    .toSorted()
    .map((key) => ({ kind: key.startsWith('u') ? 'User' : 'Group', name: key.slice(1) }));
}
