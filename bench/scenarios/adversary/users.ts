import { namesFor } from '@orch/machinery';

export const names = namesFor('kubernetes');

/** Users who are not administrators, because flow control does not limit those; the leader renews its lease. */
export const users = {
  adversary: 'adversary',
  victim: 'victim',
  leader: names.users.controllerManager,
} as const;

type User = keyof typeof users;

/** The lines of a token file for all users. */
export const tokenLines = (): string =>
  Object.entries(users)
    .map(([key, name]) => `token-of-${key},${name},${key}-uid\n`)
    .join('');

/** The request with the token of a user. */
export function authorized(request: Buffer, user: User): Buffer {
  const line = request.indexOf('\r\n') + 2;
  return Buffer.concat([
    request.subarray(0, line),
    Buffer.from(`Authorization: Bearer token-of-${user}\r\n`),
    request.subarray(line),
  ]);
}
