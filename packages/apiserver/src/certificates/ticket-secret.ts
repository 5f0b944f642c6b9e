import { MIN_TICKET_SECRET_BYTES } from '@orch/http';
import { readFlagBytes, StartError } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';

const flag = 'tls-session-ticket-key-file';

/**
 * The secret of session tickets: that of the file that replicas share, or the one of this process. Throws a `StartError` when the
 * file cannot be used.
 */
export function ticketSecret(
  { tlsSessionTicketKeyFile: path }: Pick<ApiServerFlags, 'tlsSessionTicketKeyFile'>,
  ofProcess: SharedArrayBuffer,
): Uint8Array {
  if (path === '') return new Uint8Array(ofProcess);
  const secret = readFlagBytes(flag, path);
  if (secret.length >= MIN_TICKET_SECRET_BYTES) return secret;
  throw new StartError(`--${flag} ${path}: must contain at least ${MIN_TICKET_SECRET_BYTES} random bytes`);
}
