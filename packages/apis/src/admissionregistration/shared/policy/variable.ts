import { isIdentifier } from '@orch/cel';
import type { Variable } from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import { type Check, f, type StructSchema, struct } from '@orch/schema';
import { type PolicyVersion, structName } from './policy-version.ts';

const checkName: Check<Variable> = ({ name = '' }, { path }): readonly FieldError[] =>
  name === '' || isIdentifier(name)
    ? []
    : [fieldError.invalid(`${path}.name`, name, 'must be a valid CEL identifier')];

const checkBlank: Check<Variable> = ({ expression = '' }, { path }): readonly FieldError[] =>
  expression !== '' && expression.trim() === ''
    ? [fieldError.required(`${path}.expression`, 'expression is not specified')]
    : [];

export const variableOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'Variable'),
    'An expression that others can refer to by a name. It is evaluated when it is first used.',
    {
      name: f.string(1, {
        doc: 'Name of the variable: expressions after it read it as `variables.name`.',
        presence: 'always',
        protoName: 'Name',
        required: true,
      }),
      expression: f.string(2, {
        doc: 'An expression over the variables of the other expressions, and over the variables before this one.',
        presence: 'always',
        protoName: 'Expression',
        required: true,
      }),
    },
    { mapType: 'atomic', checks: [checkName, checkBlank] },
  );
