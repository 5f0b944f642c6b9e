import type { ApplyConfiguration, Mutation } from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, f, type StructSchema, struct } from '@orch/schema';
import { type PolicyVersion, structName } from '../shared/policy/policy-version.ts';

/** The fields of a mutation; its type names the one that is set. */
const fields = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

const checkExpression = (
  path: string,
  { expression = '' }: ApplyConfiguration = {},
): readonly FieldError[] =>
  expression.trim() === '' ? [fieldError.required(`${path}.expression`, 'expression is not specified')] : [];

const checkMutation: Check<Mutation> = (mutation, { path }) => {
  const { patchType = '' } = mutation;
  if (!Object.hasOwn(fields, patchType)) return [];
  return Object.entries(fields).flatMap(([type, field]): readonly FieldError[] => {
    const isThere = mutation[field] !== undefined;
    if (isThere && type === patchType) return checkExpression(`${path}.${field}`, mutation[field]);
    if (isThere === (type === patchType)) return [];
    return isThere
      ? [
          fieldError.invalid(
            `${path}.${field}`,
            mutation[field],
            `must not be set when patchType is ${patchType}`,
          ),
        ]
      : [fieldError.required(`${path}.${field}`, `must be set when patchType is ${patchType}`)];
  });
};

const patchOf = (name: string, { doc, expression }: { readonly doc: string; readonly expression: string }) =>
  struct(name, doc, { expression: f.string(1, { doc: expression }) });

export const mutationOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'Mutation'),
    'One change of an object.',
    {
      patchType: f.string(2, {
        doc: 'ApplyConfiguration or JSONPatch.',
        presence: 'always',
        required: true,
        enum: ['ApplyConfiguration', 'JSONPatch'],
      }),
      applyConfiguration: f.struct(
        3,
        patchOf(structName(version, 'ApplyConfiguration'), {
          doc: 'A change by fields that are merged into the object.',
          expression:
            'An expression whose value is an `Object`, which is merged into the object as in server-side apply.',
        }),
        { doc: 'The change, if its type is ApplyConfiguration.', presence: 'pointer' },
      ),
      jsonPatch: f.struct(
        4,
        patchOf(structName(version, 'JSONPatch'), {
          doc: 'A change that consists of operations.',
          expression: 'An expression whose value is a list of `JSONPatch`.',
        }),
        { doc: 'The change, if its type is JSONPatch.', presence: 'pointer' },
      ),
    },
    { checks: [checkMutation] },
  );
