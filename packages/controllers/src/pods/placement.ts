import type { kinds } from '@orch/client';

type Node = kinds.core.Node;
type PodSpec = kinds.core.PodSpec;
type Taint = kinds.core.Taint;
type Requirement = kinds.core.NodeSelectorRequirement;

/** Reports whether a node has the labels and fields that a pod requires. Preferences do not count. */
export function selectsNode(spec: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  const hasLabels = Object.entries(spec.nodeSelector ?? {}).every(([name, value]) => labels[name] === value);
  if (!hasLabels) return false;
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (terms === undefined || terms === null) return true;
  const fields = { 'metadata.name': node.metadata.name ?? '' };
  return terms.some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length + matchFields.length === 0) return false;
    return (
      matchExpressions.every((requirement) => holds(requirement, labels)) &&
      matchFields.every((requirement) => holds(requirement, fields))
    );
  });
}

function holds({ key, operator, values = [] }: Requirement, of: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(of, key) ? of[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

/** The taints of a node, without those that are only preferences, that keep a pod away. */
export function untolerated(
  { tolerations = [] }: Pick<PodSpec, 'tolerations'>,
  node: Node,
  effects: readonly string[] = ['NoSchedule', 'NoExecute'],
): readonly Taint[] {
  const isTolerated = (taint: Taint): boolean =>
    tolerations.some(({ key = '', operator = 'Equal', value = '', effect = '' }) => {
      if (effect !== '' && effect !== taint.effect) return false;
      if (key !== '' && key !== taint.key) return false;
      return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''));
    });
  return (node.spec?.taints ?? []).filter((taint) => effects.includes(taint.effect) && !isTolerated(taint));
}
