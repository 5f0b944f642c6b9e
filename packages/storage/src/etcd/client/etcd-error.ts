import { type Revision, StoreError } from '../../store.ts';
import { GrpcCode, RpcError } from '../rpc/status.ts';

/** Classes of etcd's errors; many of them differ in their text only. */
export type EtcdRefusal =
  | 'compacted'
  | 'futureRevision'
  | 'tooLarge'
  | 'leaseNotFound'
  /** The token is missing, expired or of an older state of the users. */
  | 'badToken'
  /** Not allowed, or not supported: not retryable. */
  | 'rejected'
  /** The server did not process the request: it has no leader, or is overloaded. */
  | 'busy';

/**
 * Classifies an answer with which the server certainly refused a request. Undefined for everything else: transport
 * errors, timeouts within etcd, and the quota error, which etcd also returns after a write.
 */
export function refusalOf(error: unknown): EtcdRefusal | undefined {
  if (!(error instanceof RpcError) || error.failure !== 'answered') return undefined;
  const { code, message } = error;
  if (message.includes('has been compacted')) return 'compacted';
  if (message.includes('is a future revision')) return 'futureRevision';
  if (message.includes('request is too large')) return 'tooLarge';
  if (message.includes('lease not found')) return 'leaseNotFound';
  if (isTokenProblem(message)) return 'badToken';
  // etcd refuses before it proposes the write; some releases use the code for unknown errors.
  if (message.includes('etcdserver: too many requests')) return 'busy';
  // With the alarm CORRUPT etcd refuses every write.
  if (message.includes('etcdserver: corrupt cluster')) return 'rejected';
  switch (code) {
    case GrpcCode.resourceExhausted:
      return message.includes('message larger than max') ? 'tooLarge' : undefined;
    case GrpcCode.unavailable:
      return message.includes('etcdserver: no leader') ? 'busy' : undefined;
    case GrpcCode.invalidArgument:
    case GrpcCode.permissionDenied:
    case GrpcCode.unauthenticated:
    case GrpcCode.unimplemented:
    case GrpcCode.failedPrecondition:
      return 'rejected';
    default:
      return undefined;
  }
}

function isTokenProblem(message: string): boolean {
  return (
    message.includes('invalid auth token') ||
    message.includes('revision of auth store is old') ||
    message.includes('auth: revision in header is old') ||
    message.includes('user name is empty')
  );
}

/** Reports whether the server may have processed the call although it failed. */
export function isAmbiguous(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false;
  return !error.neverProcessed && refusalOf(error) === undefined;
}

/**
 * The database is full. etcd reports it before a write, but also after: the write that exceeds the limit takes effect
 * and is answered with this error.
 */
export function isQuotaExceeded(error: unknown): boolean {
  return (
    error instanceof RpcError && error.failure === 'answered' && error.message.includes('space exceeded')
  );
}

/** The store's error for a call without effect. `compactRevision` is set for compacted reads. */
export function storeErrorOf(error: unknown, compactRevision?: Revision): unknown {
  if (!(error instanceof RpcError)) return error;
  if (error.failure === 'aborted') return error.cause;
  if (error.failure === 'closed') return new StoreError('closed', 'the store was closed');
  const { message } = error;
  if (isQuotaExceeded(error)) return new StoreError('full', fullMessage(message), { cause: error });
  switch (refusalOf(error)) {
    case 'compacted':
      return new StoreError('compacted', message, {
        cause: error,
        ...(compactRevision === undefined ? {} : { compactRevision }),
      });
    case 'futureRevision':
      return new StoreError('futureRevision', message, { cause: error });
    case 'tooLarge':
      return new StoreError('tooLarge', message, { cause: error });
    default:
      break;
  }
  if (error.failure === 'failed' && error.code === GrpcCode.resourceExhausted && error.delivery === 'sent') {
    return new StoreError('tooLarge', message, { cause: error });
  }
  if (error.failure === 'failed' && error.code === GrpcCode.internal) {
    return new StoreError('corrupt', message, { cause: error });
  }
  return new StoreError('unavailable', `etcd: ${message}`, { cause: error });
}

/** The cause of a refused write, with the words of etcd. */
export const fullMessage = (message: string): string =>
  `the database of etcd is full: only deletions are accepted until it is compacted and defragmented and its alarm is disarmed (${message})`;
