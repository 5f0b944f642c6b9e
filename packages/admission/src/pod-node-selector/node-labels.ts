import { labelValue, qualifiedName } from '@orch/machinery/formats';

/** Labels of nodes that a selector of the form `key=value,key=value` requires. */
export type NodeLabels = ReadonlyMap<string, string>;

/** A string that is not such a selector. */
export class NodeLabelsError extends Error {
  override readonly name = 'NodeLabelsError';
}

/** An empty selector requires no labels. Throws `NodeLabelsError`. */
export function parseNodeLabels(selector: string): NodeLabels {
  const labels = new Map<string, string>();
  if (selector === '') return labels;
  for (const requirement of selector.split(',')) {
    const [key = '', value, ...rest] = requirement.split('=').map((part) => part.trim());
    if (value === undefined || rest.length > 0)
      throw new NodeLabelsError(`invalid selector: ${JSON.stringify(requirement)} is not key=value`);
    const problem = qualifiedName(key) ?? labelValue(value);
    if (problem !== undefined)
      throw new NodeLabelsError(`invalid selector: ${JSON.stringify(requirement)}: ${problem}`);
    labels.set(key, value);
  }
  return labels;
}
