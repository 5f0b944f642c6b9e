import type { ProtoWriter } from '../proto/writer.ts';

/** A method of a gRPC service whose request and response are single messages. */
export interface UnaryMethod<Request, Response> {
  /** `/package.Service/Method`. */
  readonly path: string;
  /** Sent without the channel's metadata. */
  readonly anonymous?: boolean;
  encode(writer: ProtoWriter, request: Request): void;
  decode(message: Buffer): Response;
}

/** Fields of every request besides those of the protocol. */
export type Metadata = readonly (readonly [name: string, value: string])[];
