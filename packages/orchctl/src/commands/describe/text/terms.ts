import type { Description } from './description.ts';

interface Requirement {
  readonly key: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** Terms of a selector of nodes or topologies, with one requirement on each line. */
export function describeTerms(
  out: Description,
  level: number,
  terms: readonly (readonly Requirement[])[],
): void {
  const margin = '  '.repeat(level);
  terms.forEach((requirements, i) => {
    out.list(`${margin}Term ${i}`, requirements.map(requirementText), margin);
  });
}

function requirementText({ key, operator = 'in', values = [] }: Requirement): string {
  const list = values.length === 0 ? '' : ` [${values.join(', ')}]`;
  return `${key} ${operator.toLowerCase()}${list}`;
}
