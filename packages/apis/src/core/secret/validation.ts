import type { Secret } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import {
  type CheckedData,
  checkData,
  checkDataInPieces,
  checkFrozen,
  isWide,
  MAX_DATA_BYTES,
} from '../shared/validation/keyed-data.ts';

/** Checks keys and size of the values, and the keys that the type of the secret requires. */
export const validateSecret = (next: Secret, old: Secret | undefined, names: Names): readonly FieldError[] =>
  violationsOf(next, old, names, checkData('data', next.data, 'base64'));

/** Like `validateSecret`, in pieces. Undefined for a secret without thousands of keys. */
export const secretValidation = (
  next: Secret,
  old: Secret | undefined,
  names: Names,
): Work<readonly FieldError[]> | undefined =>
  isWide(next.data) ? validationInPieces(next, old, names) : undefined;

function* validationInPieces(
  next: Secret,
  old: Secret | undefined,
  names: Names,
): Work<readonly FieldError[]> {
  return violationsOf(next, old, names, yield* checkDataInPieces('data', next.data, 'base64'));
}

/** The violations of all rules, when the keys have been checked. */
function violationsOf(
  next: Secret,
  old: Secret | undefined,
  names: Names,
  { errors: ofKeys, bytes }: CheckedData,
): readonly FieldError[] {
  const errors = [...ofKeys];
  if (bytes > MAX_DATA_BYTES) errors.push(fieldError.tooLong('data', MAX_DATA_BYTES));
  errors.push(...checkType(next, names));
  if (old === undefined) return errors;
  const changed = (next.type ?? '') !== (old.type ?? '');
  const type = changed ? [fieldError.invalid('type', next.type, 'field is immutable')] : [];
  return [...type, ...errors, ...checkFrozen(next, old, ['data'])];
}

const required = (path: string, present: boolean): readonly FieldError[] =>
  present ? [] : [fieldError.required(path)];

function checkType(secret: Secret, names: Names): readonly FieldError[] {
  const { secretTypes: types } = names;
  const data = secret.data ?? {};
  const has = (key: string): boolean => Object.hasOwn(data, key);
  switch (secret.type ?? '') {
    case types.serviceAccountToken: {
      const key = names.annotations.serviceAccountName;
      return required(`metadata.annotations[${key}]`, (secret.metadata.annotations?.[key] ?? '') !== '');
    }
    case types.dockercfg:
      return checkJson(data, '.dockercfg');
    case types.dockerconfigjson:
      return checkJson(data, '.dockerconfigjson');
    case types.basicAuth:
      // One of the two is sufficient. For compatibility, these paths and that of the key below contain a literal
      // `%s`.
      if (has('username') || has('password')) return [];
      return [...required('data[%s][username]', false), ...required('data[%s][password]', false)];
    case types.sshAuth:
      return required('data[%s][ssh-privatekey]', has('ssh-privatekey') && data['ssh-privatekey'] !== '');
    case types.tls:
      return [...required('data[tls.crt]', has('tls.crt')), ...required('data[tls.key]', has('tls.key'))];
    default:
      return [];
  }
}

function checkJson(data: Readonly<Record<string, string>>, key: string): readonly FieldError[] {
  const path = `data[${key}]`;
  if (!Object.hasOwn(data, key)) return [fieldError.required(path)];
  try {
    const config: unknown = JSON.parse(Buffer.from(data[key] ?? '', 'base64').toString('utf8'));
    if (typeof config === 'object' && !Array.isArray(config)) return [];
  } catch {
    // All kinds of invalid values have the same error.
  }
  // The message does not contain the value: it is a secret.
  return [fieldError.invalid(path, '<secret contents redacted>', 'must be a JSON object')];
}
