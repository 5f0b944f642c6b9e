import type * as core from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, f, items, struct } from '@orch/schema';
import { checkFormat } from '../../validation-rules.ts';

export const TopologySelectorLabelRequirement = struct(
  'core.v1.TopologySelectorLabelRequirement',
  'Limits a label of nodes to some values.',
  {
    key: f.string(1, { doc: 'Label that the condition applies to.', presence: 'always' }),
    values: f.list(2, items.string, { doc: 'Values that it may have.', presence: 'always', required: true }),
  },
);

/** The indexes of strings that have occurred before. */
function repeated(texts: readonly string[]): readonly number[] {
  const seen = new Set<string>();
  return [...texts.keys()].filter((i) => seen.size === seen.add(texts[i] ?? '').size);
}

/**
 * Checks that every label has one entry without duplicate values. The declaration of the field requires at least one
 * value.
 */
const checkTopologyTerm: Check<core.TopologySelectorTerm> = (term, { path }) => {
  const conditions = term.matchLabelExpressions ?? [];
  const keys = conditions.map((condition) => condition.key ?? '');
  const at = (i: number): string => `${path}.matchLabelExpressions[${i}]`;
  const errors: FieldError[] = repeated(keys).map((i) => fieldError.duplicate(`${at(i)}.key`, keys[i]));
  conditions.forEach((condition, i) => {
    const values = condition.values ?? [];
    errors.push(...checkFormat('qualifiedName', `${at(i)}.key`, keys[i]));
    for (const j of repeated(values)) errors.push(fieldError.duplicate(`${at(i)}.values[${j}]`, values[j]));
  });
  return errors;
};

export const TopologySelectorTerm = struct(
  'core.v1.TopologySelectorTerm',
  'Conditions on labels of nodes that must all hold.',
  {
    matchLabelExpressions: f.list(1, TopologySelectorLabelRequirement, { doc: 'The conditions.' }),
  },
  { mapType: 'atomic', checks: [checkTopologyTerm] },
);
