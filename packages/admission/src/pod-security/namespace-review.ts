import type { Namespace } from '@orch/kinds/core';
import { errors } from '@orch/machinery';
import type { AdmissionAttributes } from '../types.ts';
import { type ExistingPodsParts, existingPodWarnings } from './existing-pods.ts';
import { isStricter, type LevelVersion, sameLevel } from './levels.ts';
import type { NamespacePolicy, PolicyReader } from './namespace-policy.ts';

export interface NamespaceReviewParts extends ExistingPodsParts {
  readonly policies: PolicyReader;
}

/**
 * Refuses invalid labels of a namespace, unless they were invalid before, and warns about existing pods when a stricter level
 * or another version will be enforced.
 */
export function reviewNamespace(
  parts: NamespaceReviewParts,
  write: AdmissionAttributes,
): undefined | Promise<undefined> {
  const { name = '', labels } = (write.object as Namespace | undefined)?.metadata ?? {};
  const next = parts.policies.read(labels);
  const old =
    write.oldObject === undefined ? undefined : parts.policies.read(write.oldObject.metadata.labels);
  if (next.problems.length > 0 && !hasSameProblems(next, old))
    throw errors.invalid({ group: '', kind: 'Namespace', name }, next.problems);
  const { enforce } = next.policy;
  if (old !== undefined && !isTightened(old.policy.enforce, enforce)) return undefined;
  if (parts.exemptions.namespaces.has(name)) {
    const warning = parts.policies.exemptionWarning(name, labels);
    if (warning !== undefined) write.report.warn(warning);
    return undefined;
  }
  return old === undefined ? undefined : warnOfPods(parts, write, { name, enforce });
}

async function warnOfPods(
  parts: NamespaceReviewParts,
  { report, signal }: AdmissionAttributes,
  { name, enforce }: { readonly name: string; readonly enforce: LevelVersion },
): Promise<undefined> {
  for (const warning of await existingPodWarnings(parts, { namespace: name, enforce, signal }))
    report.warn(warning);
  return undefined;
}

function hasSameProblems({ problems }: NamespacePolicy, old: NamespacePolicy | undefined): boolean {
  const textOf = (all: NamespacePolicy['problems']): string => JSON.stringify(all);
  return old !== undefined && textOf(problems) === textOf(old.problems);
}

/** Reports whether pods may violate the new level without violating the old one. */
const isTightened = (old: LevelVersion, next: LevelVersion): boolean =>
  !sameLevel(old, next) &&
  next.level !== 'privileged' &&
  (old.version !== next.version || isStricter(next.level, old.level));
