import { createHash } from 'node:crypto';
import { bearerToken } from './bearer.ts';
import { parseCsv } from './csv.ts';
import type { Authentication, Authenticator, UserInfo } from './types.ts';

/** A token file that cannot be used; the message names the line. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64');

/**
 * Reads a static token file (spec 5.3): CSV with token, user name, user uid, and then groups, each in a separate column
 * or several in one, separated by commas. Returns users by the SHA-256 digest of their token: the duration of a comparison of digests reveals nothing about
 * tokens. Throws `TokenFileError`.
 */
export function readTokenFile(text: string, implicitGroup: string): ReadonlyMap<string, UserInfo> {
  const users = new Map<string, UserInfo>();
  for (const { line, fields, problem } of parseCsv(text)) {
    if (problem !== undefined) throw new TokenFileError(`line ${line}: ${problem}`);
    const [token = '', name = '', uid = '', ...groups] = fields;
    if (fields.length < 3) {
      throw new TokenFileError(
        `line ${line}: expected at least 3 columns (token, user name, user uid), found ${fields.length}`,
      );
    }
    if (token === '') throw new TokenFileError(`line ${line}: the token is empty`);
    if (name === '') throw new TokenFileError(`line ${line}: the user name is empty`);
    const digest = digestOf(token);
    if (users.has(digest))
      throw new TokenFileError(`line ${line}: the token is repeated from an earlier line`);
    const named = groups.flatMap((column) => column.split(',')).map((group) => group.trim());
    users.set(digest, {
      name,
      uid,
      groups: [...new Set([...named.filter((group) => group !== ''), implicitGroup])],
      extra: {},
    });
  }
  return users;
}

/**
 * Authenticates bearer tokens against the users of a token file. The last answer is cached per connection, so that
 * a client that sends the same header again is not hashed again.
 */
export function tokenFileAuthenticator(users: ReadonlyMap<string, UserInfo>): Authenticator {
  const none: Authentication = { kind: 'none' };
  const rejected: Authentication = { kind: 'rejected', reason: 'unknown bearer token' };
  const answers = new Map<string, Authentication>();
  for (const [digest, user] of users) answers.set(digest, { kind: 'user', user });
  const cached = new WeakMap<object, { readonly header: string; readonly answer: Authentication }>();
  return {
    authenticate({ headers, connection }) {
      const header = headers.authorization;
      if (header === undefined) return none;
      const last = cached.get(connection);
      if (last !== undefined && last.header === header) return last.answer;
      const token = bearerToken(header);
      if (token === undefined) return none;
      const answer = answers.get(digestOf(token)) ?? rejected;
      cached.set(connection, { header, answer });
      return answer;
    },
  };
}
