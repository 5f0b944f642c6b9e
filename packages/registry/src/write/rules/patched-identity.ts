import {
  type ApiError,
  type ApiObject,
  errors,
  type FieldError,
  fieldError,
  messageWithoutValue,
} from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import type { ExpectedKind } from '../../request/body.ts';

/**
 * The 422 for the result of a patch that has a wrong value in one field. `field` is `patch` for a result that cannot be
 * decoded as the kind.
 */
export function invalidPatched(invalid: FieldError): ApiError {
  const { type: reason, field } = invalid;
  const saying = (message: string) => ({
    message: `the patched object is invalid: ${field}: ${message}`,
    details: { causes: [{ reason, message, field }] },
  });
  const { message, details } = saying(invalid.message);
  return errors.unprocessable(message, details.causes, () => saying(messageWithoutValue(invalid)));
}

const isOther = (value: unknown, expected: string, others: readonly string[] = []): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  value !== expected &&
  !others.includes(value as string);

/** The result of a patch with the expected kind and version in place of strings that it names. */
export const withExpectedKind = (
  result: Readonly<Record<string, unknown>>,
  { kind, apiVersion }: ExpectedKind,
): Readonly<Record<string, unknown>> => ({
  ...result,
  ...(typeof result['kind'] === 'string' ? { kind } : {}),
  ...(typeof result['apiVersion'] === 'string' ? { apiVersion } : {}),
});

/** Refuses the result of a patch whose kind or version differs from that of its path (422). Both may be absent. */
export function checkPatchedKind(result: Readonly<Record<string, unknown>>, expected: ExpectedKind): void {
  const { kind, apiVersion } = result;
  if (isOther(kind, expected.kind))
    throw invalidPatched(fieldError.invalid('kind', kind, `must be ${expected.kind}`));
  if (isOther(apiVersion, expected.apiVersion, expected.otherApiVersions))
    throw invalidPatched(fieldError.invalid('apiVersion', apiVersion, `must be ${expected.apiVersion}`));
}

/**
 * Refuses the result of a patch without a name (400), or with another uid than the object has (422). Another name is left to the
 * check of the write, which refuses it (400) whatever the uid is.
 */
export function checkPatchedIdentity({ metadata }: ApiObject, document: unknown): void {
  const before = isJsonObject(document) && isJsonObject(document['metadata']) ? document['metadata'] : {};
  const { name = '', uid = '' } = metadata;
  if (name === '')
    throw errors.malformedRequest(
      `metadata.name must be provided: the path names ${JSON.stringify(before['name'])}`,
    );
  // Another name is refused with the path of the request, whatever the uid is.
  if (uid !== '' && uid !== before['uid'] && name === before['name'])
    throw invalidPatched(fieldError.invalid('metadata.uid', uid, 'field is immutable'));
}
