import { type ApiObject, type FieldError, fieldError, jsonEquals } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asObject, asText, specOf } from '../../../read.ts';

const methods = ['ByNamespace', 'ByUser'];

/** The first place is taken. That flows are told apart in a known way is said here, for an empty way is none. */
export const checkPrecedence: Check = (spec, { path, root }) => {
  const errors: FieldError[] = [];
  const name = asText(asObject(root['metadata'])['name']);
  if (spec['matchingPrecedence'] === 1 && name !== 'exempt') {
    const why = "only the schema named 'exempt' may have matchingPrecedence 1";
    errors.push(fieldError.invalid(`${path}.matchingPrecedence`, 1, why));
  }
  if (spec['distinguisherMethod'] !== undefined) {
    const type = asText(asObject(spec['distinguisherMethod'])['type']);
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

/** Schemas without which a server could not be repaired, or would drop requests: they are what they are. */
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

export function validateFlowSchema(next: ApiObject): readonly FieldError[] {
  const name = next.metadata.name ?? '';
  const fixed = mandatory.get(name);
  if (fixed === undefined || jsonEquals(specOf(next), fixed)) return [];
  return [fieldError.invalid('spec', specOf(next), `spec of '${name}' must equal the fixed value`)];
}
