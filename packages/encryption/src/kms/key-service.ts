import type { Env } from '@orch/machinery';
import { DecryptionError, type ValueCipher } from '../value-cipher.ts';
import type { HealthPoll } from './health-poll.ts';
import { KeyServiceError } from './key-service-error.ts';

export interface KeyServiceOptions {
  readonly env: Env;
  /** The prefix of the values of the service. */
  readonly prefix: string;
  /** The service works again: values may be decrypted that could not be. */
  readonly recovered: () => void;
}

/** A key service that is in use. */
export interface KeyService {
  readonly name: string;
  readonly version: 'v1' | 'v2';
  readonly cipher: ValueCipher;
  /** The reason why it cannot be used now. */
  readonly failure: string | undefined;
  /** Probes the service and, with version 2, changes the seed with the key of the service, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when the service works now. */
  probe(): Promise<void>;
  /** Ends its calls and its connection. */
  close(): void;
}

/** The error of a value whose data key the service has not decrypted. */
export function undecrypted(error: unknown, poll: HealthPoll): unknown {
  if (!(error instanceof KeyServiceError)) return error;
  if (error.isTemporary) poll.callFailed();
  return new DecryptionError(error.isTemporary ? 'unavailable' : 'invalid', error.message);
}
