import type { NodeAffinity, NodeSelectorTerm, PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';

const terms = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

/** A pod with gates is not scheduled yet: its nodes may be restricted further. */
export const isGated = ({ schedulingGates = [] }: PodSpec): boolean => schedulingGates.length > 0;

/** Checks that what a pod requires of its nodes is only added to. */
export const checkRestrictedNodes = (spec: PodSpec, before: PodSpec): readonly FieldError[] => [
  ...checkNodeSelector(spec.nodeSelector ?? {}, before.nodeSelector ?? {}),
  ...checkTerms(termsOf(spec.affinity?.nodeAffinity), termsOf(before.affinity?.nodeAffinity)),
];

/** The spec without what may change while the pod has gates. */
export function withoutNodes({ nodeSelector, affinity, ...rest }: PodSpec): PodSpec {
  const { nodeAffinity, ...others } = affinity ?? {};
  return Object.keys(others).length === 0 ? rest : { ...rest, affinity: others };
}

type Labels = Readonly<Record<string, string>>;

function checkNodeSelector(next: Labels, old: Labels): readonly FieldError[] {
  if (Object.entries(old).every(([key, value]) => Object.hasOwn(next, key) && next[key] === value)) return [];
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [fieldError.invalid('spec.nodeSelector', next, why)];
}

const termsOf = (affinity: NodeAffinity | undefined): readonly NodeSelectorTerm[] =>
  affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];

function checkTerms(
  next: readonly NodeSelectorTerm[],
  old: readonly NodeSelectorTerm[],
): readonly FieldError[] {
  if (old.length === 0) return [];
  if (next.length !== old.length) {
    const why = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [fieldError.invalid(terms, next, why)];
  }
  return next.flatMap((term, i) =>
    isAddedTo(term, old[i] ?? {})
      ? []
      : [
          fieldError.invalid(
            `${terms}[${i}]`,
            term,
            'only additions are allowed (no mutations or deletions)',
          ),
        ],
  );
}

/** A term without conditions selects no node, so none may be added. */
function isAddedTo(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = (['matchExpressions', 'matchFields'] as const).map(
    (list) => [next[list] ?? [], old[list] ?? []] as const,
  );
  if (lists.every(([, before]) => before.length === 0)) return lists.every(([after]) => after.length === 0);
  return lists.every(([after, before]) => jsonEquals(after.slice(0, before.length), before));
}
