import type { FlowSchemaSpecV1beta3, FlowSchemaV1beta3 } from '@orch/kinds/flowcontrol';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import type { Check } from '@orch/schema';

const methods = ['ByNamespace', 'ByUser'];

/** The lowest precedence is reserved. An unknown distinguisher method, including an empty one, is reported here. */
export const checkPrecedence: Check<FlowSchemaSpecV1beta3> = (spec, { path, root }) => {
  const errors: FieldError[] = [];
  const { metadata }: Partial<FlowSchemaV1beta3> = root;
  const name = metadata?.name ?? '';
  if (spec.matchingPrecedence === 1 && name !== 'exempt') {
    const why = "only the schema named 'exempt' may have matchingPrecedence 1";
    errors.push(fieldError.invalid(`${path}.matchingPrecedence`, 1, why));
  }
  if (spec.distinguisherMethod !== undefined) {
    const type = spec.distinguisherMethod?.type ?? '';
    if (!methods.includes(type)) {
      errors.push(fieldError.notSupported(`${path}.distinguisherMethod.type`, type, methods));
    }
  }
  return errors;
};

const everything = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

const ofGroups = (...groups: readonly string[]) => [
  { subjects: groups.map((name) => ({ kind: 'Group', group: { name } })), ...everything },
];

/** Schemas without which a server could not be repaired, or would drop requests: they are immutable. */
const mandatory: ReadonlyMap<string, object> = new Map([
  [
    'exempt',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: ofGroups('system:masters'),
    },
  ],
  [
    'catch-all',
    {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: ofGroups('system:unauthenticated', 'system:authenticated'),
    },
  ],
]);

export function validateFlowSchema(next: FlowSchemaV1beta3): readonly FieldError[] {
  const name = next.metadata.name ?? '';
  const fixed = mandatory.get(name);
  if (fixed === undefined || jsonEquals(next.spec ?? {}, fixed)) return [];
  return [fieldError.invalid('spec', next.spec ?? {}, `spec of '${name}' must equal the fixed value`)];
}
