import { createHash, hkdfSync } from 'node:crypto';

/** Minimum of the secret that keys are derived from, in bytes. */
export const MIN_TICKET_SECRET_BYTES = 32;

/** A name, a key of the MAC and a key of the cipher, in the form of Node. */
const KEY_BYTES = 48;

/** Sessions are resumed only by servers with the same name. */
export const SESSION_ID_CONTEXT = 'orch';

/**
 * The keys that encrypt session tickets: the same in all servers with this secret and these authorities of clients. A ticket
 * contains the client certificate as it was verified, so it must not outlive the trust in an authority.
 */
export function ticketKeys(secret: Uint8Array, clientCa: readonly (string | Buffer)[] = []): Buffer {
  const trusted = createHash('sha256');
  for (const authority of clientCa) trusted.update(createHash('sha256').update(authority).digest());
  const purpose = Buffer.concat([Buffer.from('orch session tickets '), trusted.digest()]);
  return Buffer.from(hkdfSync('sha256', Buffer.from(secret), '', purpose, KEY_BYTES));
}
