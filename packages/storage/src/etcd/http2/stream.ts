import type { ReceiveWindow } from './receive-window.ts';

/** How much of a request can have reached the peer when its connection was lost. */
export type Delivery =
  /** Nothing left this process: the request may be sent elsewhere. */
  | 'unsent'
  /** A part was sent; the peer cannot have acted, as the end of the request is missing. */
  | 'incomplete'
  /** All of it was handed to the network: whether the peer acted is unknown. */
  | 'sent';

export type StreamEnd =
  /** The peer ended the stream in order. */
  | { readonly kind: 'finished' }
  /** The peer gave the stream up. */
  | { readonly kind: 'reset'; readonly code: number }
  /** The peer said that it did not act on the stream. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'lost'; readonly delivery: Delivery; readonly cause: Error };

/** The user's side of a stream. Called from the connection; must not throw. */
export interface StreamEvents {
  /** One field of the header or of the trailer. */
  field(name: string, value: string): void;
  /** Content, valid only during the call. */
  data(chunk: Buffer, start: number, end: number): void;
  /** Called once, and last, unless the user cancelled the stream. */
  end(end: StreamEnd): void;
}

/** State of one stream, owned by its connection. */
export interface StreamState {
  readonly id: number;
  readonly events: StreamEvents;
  readonly receiving: ReceiveWindow;
  /** Bytes that the peer still takes on this stream. */
  sendWindow: number;
  /** What waits for window, first `outboxAt` bytes of the first buffer already sent. */
  outbox: Buffer[];
  outboxAt: number;
  /** END_STREAM goes out with the last byte of the outbox. */
  ending: boolean;
  /** END_STREAM went out. */
  ended: boolean;
  /** Number of header blocks received: the header, and the trailer. */
  headerBlocks: number;
}
