import { GrpcCode, RpcError } from '@orch/storage/grpc';

/** A call of a key service failed. */
export class KeyServiceError extends Error {
  override readonly name = 'KeyServiceError';
  /** The service has not answered, or cannot answer now: the same call may succeed later. */
  readonly isTemporary: boolean;

  constructor(message: string, options: { readonly isTemporary: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.isTemporary = options.isTemporary;
  }
}

/** Maximum length of a repeated message of the service. */
const MAX_MESSAGE = 300;

const temporaryCodes: ReadonlySet<number> = new Set([
  GrpcCode.deadlineExceeded,
  GrpcCode.resourceExhausted,
  GrpcCode.unavailable,
]);

/** `what` names the service. */
export function keyServiceError(what: string, error: unknown): KeyServiceError {
  if (!(error instanceof RpcError)) throw error;
  const isAnswer = error.failure === 'answered';
  const text = error.message.slice(0, MAX_MESSAGE);
  const reason = isAnswer ? `returned code ${error.code}: ${text}` : `is not responding: ${text}`;
  return new KeyServiceError(`${what} ${reason}`, {
    isTemporary: !isAnswer || temporaryCodes.has(error.code),
    cause: error,
  });
}
