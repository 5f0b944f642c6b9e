import type { ParamKind } from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';
import { dns1035label } from '@orch/machinery/formats';
import { type Check, f, type StructSchema, struct } from '@orch/schema';
import { unset } from '../unset-cell.ts';
import { type PolicyVersion, structName } from './policy-version.ts';

/** Versions and kinds are names. */
const checkParamKind: Check<ParamKind> = ({ apiVersion, kind }, { path }) => {
  const errors: FieldError[] = [];
  const parts = (apiVersion ?? '').split('/');
  const wrongVersion =
    parts.length > 2 ? 'must be group/version or version' : dns1035label(parts.at(-1) ?? '');
  if ((apiVersion ?? '') !== '' && wrongVersion !== undefined)
    errors.push(fieldError.invalid(`${path}.apiVersion`, apiVersion, wrongVersion));
  const wrongKind = dns1035label((kind ?? '').toLowerCase());
  if ((kind ?? '') !== '' && wrongKind !== undefined) {
    const why = `may have mixed case, but should otherwise match: ${wrongKind}`;
    errors.push(fieldError.invalid(`${path}.kind`, kind, why));
  }
  return errors;
};

export const paramKindOf = (version: PolicyVersion): StructSchema =>
  struct(
    structName(version, 'ParamKind'),
    'Kind of the objects with the parameters of a policy.',
    {
      apiVersion: f.string(1, { doc: 'Group and version of the kind.', required: true }),
      kind: f.string(2, { doc: 'Name of the kind.', required: true }),
    },
    { mapType: 'atomic', checks: [checkParamKind] },
  );

/** The kind in a cell of a table. */
export const paramKindText = (kind: ParamKind | undefined): string =>
  kind === undefined ? unset : `${kind.apiVersion ?? ''}/${kind.kind ?? ''}`;
