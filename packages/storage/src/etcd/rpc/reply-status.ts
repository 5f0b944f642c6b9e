import type { StreamEnd } from '../http2/stream.ts';
import { codeOfHttpStatus, decodeGrpcMessage, GrpcCode, RpcError } from './status.ts';

/** Determines the outcome of a call from header and trailer. */
export class ReplyStatus {
  #httpStatus = 0;
  #contentType = '';
  #grpcStatus = -1;
  #grpcMessage = '';

  field(name: string, value: string): void {
    // Strings from the shared table are compared by pointer.
    if (name === 'grpc-status') this.#grpcStatus = parseCode(value);
    else if (name === ':status') this.#httpStatus = parseCode(value);
    else if (name === 'grpc-message') this.#grpcMessage = value;
    else if (name === 'content-type') this.#contentType = value;
  }

  /** The error of the call, or undefined when it ended with status OK. */
  failure(end: StreamEnd): RpcError | undefined {
    switch (end.kind) {
      case 'finished':
        return this.#finished();
      case 'refused':
        return new RpcError('failed', 'the server did not accept the call', { delivery: 'refused' });
      case 'lost':
        return new RpcError('failed', `the connection was lost: ${end.cause.message}`, {
          delivery: end.delivery,
          cause: end.cause,
        });
      case 'reset':
        return new RpcError('failed', `the stream was reset with code ${end.code}`, {
          code: GrpcCode.unavailable,
          delivery: 'sent',
        });
    }
  }

  #finished(): RpcError | undefined {
    if (this.#grpcStatus === GrpcCode.ok && this.#httpStatus === 200) return undefined;
    if (this.#grpcStatus > 0) {
      const message = decodeGrpcMessage(this.#grpcMessage);
      return new RpcError('answered', message, { code: this.#grpcStatus, delivery: 'sent' });
    }
    const got = `HTTP status ${this.#httpStatus}, content type ${JSON.stringify(this.#contentType.slice(0, 100))}`;
    const code = this.#httpStatus === 200 ? GrpcCode.internal : codeOfHttpStatus(this.#httpStatus);
    return new RpcError('failed', `not a gRPC response: ${got}`, { code, delivery: 'sent' });
  }
}

function parseCode(value: string): number {
  return /^\d{1,3}$/.test(value) ? Number(value) : GrpcCode.unknown;
}
