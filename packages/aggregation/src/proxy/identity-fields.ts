import { type ApiError, errors } from '@orch/machinery';
import type { UserInfo } from '@orch/request';

/** Header fields in which an extension API server receives the user, in lower case. */
const userFields = {
  name: 'x-remote-user',
  uid: 'x-remote-uid',
  group: 'x-remote-group',
  extraPrefix: 'x-remote-extra-',
} as const;

/**
 * Values that arrive as they were sent: without control characters, and without blanks at the ends, which receivers remove.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters.
const transmissible = /^(?:[^\u0000-\u0020\u007f](?:[^\u0000-\u001f\u007f]*[^\u0000-\u0020\u007f])?)?$/;

/** Characters of a key that are sent as they are. Upper-case letters are encoded: field names have no case. */
const plainKeyCharacter = /[a-z0-9!#$&'*+\-.^_`|~]/;

/**
 * The user of a request in header fields. Values are UTF-8 bytes, keys of extras are percent-encoded. Throws `ApiError` 403
 * for a user whose identity would arrive as another one.
 */
export function identityFields({ name, uid, groups, extra }: UserInfo): Record<string, string | string[]> {
  // A request without a name would be one of an anonymous user.
  if (name === '') throw notTransmissible('name');
  const fields: Record<string, string | string[]> = { [userFields.name]: fieldValue(name, 'name') };
  if (uid !== '') fields[userFields.uid] = fieldValue(uid, 'uid');
  if (groups.length > 0) fields[userFields.group] = groups.map((group) => fieldValue(group, 'group'));
  for (const [key, values] of Object.entries(extra)) {
    if (values.length === 0) continue;
    fields[userFields.extraPrefix + encodedKey(key)] = values.map((value) => fieldValue(value, 'extra'));
  }
  return fields;
}

/** The header fields of users, made once for each of them: the requests of a connection often have the same user. */
export class IdentityFieldsCache {
  readonly #known = new WeakMap<UserInfo, Readonly<Record<string, string | string[]>>>();

  /** See `identityFields`. */
  of(user: UserInfo): Readonly<Record<string, string | string[]>> {
    const known = this.#known.get(user);
    if (known !== undefined) return known;
    const fields = identityFields(user);
    this.#known.set(user, fields);
    return fields;
  }
}

function fieldValue(value: string, part: string): string {
  if (!value.isWellFormed() || !transmissible.test(value)) throw notTransmissible(part);
  return Buffer.from(value).toString('latin1');
}

const notTransmissible = (part: string): ApiError =>
  errors.forbiddenPath(
    `the ${part} of the user cannot be passed on to an extension API server in a header field`,
  );

/** Percent-encodes every byte that a field name cannot carry, and the percent sign itself. */
export function encodedKey(key: string): string {
  let encoded = '';
  for (const byte of Buffer.from(key)) {
    const character = String.fromCharCode(byte);
    encoded += plainKeyCharacter.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
