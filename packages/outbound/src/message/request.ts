/** Name to value or values; names in lower case. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A request to another server, complete except for the fields about the length of its body. */
export interface OutboundRequest {
  readonly method: string;
  /** Path and query of the request line. */
  readonly target: string;
  readonly headers: Fields;
  /** 0 without a body; undefined when unknown. */
  readonly bodyLength: number | undefined;
  /** Bytes are sent in one piece with the head. */
  readonly body: Buffer | (() => AsyncIterable<Buffer>);
  /** The protocol of an upgrade; the server may answer with 101 only to this one. */
  readonly upgrade: string | undefined;
  /**
   * The answer is received whole if set; a body with more bytes is a failure. The body of an answer without a 2xx status is not
   * read.
   */
  readonly maxAnswerBytes?: number;
  /** Whether the answer is returned before its body, even a short one. */
  readonly isStreamed?: boolean;
}

export const noBody = Buffer.alloc(0);
