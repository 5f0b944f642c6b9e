import { ApiError, errors } from '@orch/machinery';

/** A request that the client refuses to send, with the status 400 that the server would answer with. */
export class RefusedRequest extends ApiError {
  constructor(message: string, options?: ErrorOptions) {
    super(errors.badRequest(message).status, options);
    this.name = 'RefusedRequest';
  }
}
