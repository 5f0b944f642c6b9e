import type { ReceiveWindow } from './receive-window.ts';

/** How much of a request can have reached the peer when its connection was lost. */
export type Delivery =
  /** Nothing was sent: the request may be sent elsewhere. */
  | 'unsent'
  /** A part was sent; the peer cannot have processed the request, since its end is missing. */
  | 'incomplete'
  /** All of it was sent: it is unknown whether the peer has processed it. */
  | 'sent';

export type StreamEnd =
  /** The peer completed the stream. */
  | { readonly kind: 'finished' }
  /** The peer reset the stream. */
  | { readonly kind: 'reset'; readonly code: number }
  /** The peer reported that it did not process the stream. */
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
  /** Data that waits for the window; the first `outboxAt` bytes of the first buffer were sent. */
  outbox: Buffer[];
  outboxAt: number;
  /** END_STREAM is sent with the last byte of the outbox. */
  ending: boolean;
  /** END_STREAM was sent. */
  ended: boolean;
  /** Number of header blocks received: the header, and the trailer. */
  headerBlocks: number;
}
