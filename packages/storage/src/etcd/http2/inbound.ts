import { ErrorCode, Flag, FrameType, Http2Error } from './constants.ts';
import type { FrameHandler } from './frame-parser.ts';
import { HeaderCollector } from './header-collector.ts';
import type { ReceiveWindow } from './receive-window.ts';
import type { SendScheduler } from './send-scheduler.ts';
import type { StreamState } from './stream.ts';
import type { StreamTable } from './stream-table.ts';

/** The parts of a connection that its inbound side uses. */
export interface InboundOwner {
  readonly streams: StreamTable;
  readonly sender: SendScheduler;
  /** The peer's SETTINGS arrived; the first ones make the connection ready. Must be acknowledged. */
  settingsApplied(): void;
  /** The peer sent a PING. */
  pinged(payload: Buffer): void;
  /** The peer will not process streams above the identifier, and accepts no new ones. */
  goingAway(lastStreamId: number): void;
  /** Data may be sent now that could not be sent before. */
  sendable(): void;
  /** Grants the peer the received bytes again, when they justify a frame; stream 0 is the connection. */
  grant(streamId: number, window: ReceiveWindow): void;
  /** The peer has completed the stream. */
  finished(stream: StreamState): void;
  /** The peer has reset the stream. */
  resetByPeer(stream: StreamState, code: number): void;
  /** The peer violated the rules of one stream. */
  violated(stream: StreamState, code: number): void;
}

/**
 * Processes frames of the peer (RFC 9113 section 6). Throws {@link Http2Error} when they violate the rules of the
 * connection.
 */
export class Inbound implements FrameHandler {
  readonly #owner: InboundOwner;
  readonly #headers = new HeaderCollector();
  readonly #window: ReceiveWindow;
  #hasSettings = false;

  /** `window`: what the peer may send on all streams together. */
  constructor(owner: InboundOwner, window: ReceiveWindow) {
    this.#owner = owner;
    this.#window = window;
  }

  onData(streamId: number, chunk: Buffer, start: number, end: number): void {
    this.#owner.streams.get(streamId)?.events.data(chunk, start, end);
  }

  onDataEnd(streamId: number, flags: number, length: number): void {
    if (this.#headers.open || streamId === 0) {
      throw new Http2Error(ErrorCode.protocolError, 'DATA out of place');
    }
    this.#window.take(length);
    this.#owner.grant(0, this.#window);
    const stream = this.#owner.streams.named(streamId);
    if (stream === undefined) return;
    stream.receiving.take(length);
    if ((flags & Flag.endStream) !== 0) this.#owner.finished(stream);
    else this.#owner.grant(streamId, stream.receiving);
  }

  onFrame(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (!this.#hasSettings && type !== FrameType.settings) {
      throw new Http2Error(ErrorCode.protocolError, 'the peer does not begin with SETTINGS');
    }
    if (this.#headers.open && type !== FrameType.continuation) {
      throw new Http2Error(ErrorCode.protocolError, 'a header block was interrupted');
    }
    switch (type) {
      case FrameType.headers:
      case FrameType.continuation:
        this.#onHeaders(type, flags, streamId, payload);
        break;
      case FrameType.rstStream:
        this.#onReset(streamId, exactly(payload, 4).readUInt32BE(0));
        break;
      case FrameType.settings:
        this.#onSettings(flags, payload);
        break;
      case FrameType.ping:
        if ((flags & Flag.ack) === 0) this.#owner.pinged(exactly(payload, 8));
        break;
      case FrameType.goaway:
        if (payload.length < 8) throw new Http2Error(ErrorCode.frameSizeError, 'a truncated GOAWAY');
        this.#owner.goingAway(payload.readUInt32BE(0) & 0x7fff_ffff);
        break;
      case FrameType.windowUpdate:
        this.#onWindowUpdate(streamId, exactly(payload, 4).readUInt32BE(0) & 0x7fff_ffff);
        break;
      case FrameType.pushPromise:
        throw new Http2Error(ErrorCode.protocolError, 'PUSH_PROMISE, though push is off');
    }
  }

  #onHeaders(type: number, flags: number, streamId: number, payload: Buffer): void {
    if (streamId === 0) throw new Http2Error(ErrorCode.protocolError, 'HEADERS on stream 0');
    const block = this.#headers.add(type, flags, streamId, payload);
    if (block === undefined) return;
    const stream = this.#owner.streams.named(streamId);
    block.fields(stream === undefined ? ignoreField : (name, value) => stream.events.field(name, value));
    if (stream === undefined) return;
    stream.headerBlocks++;
    if (block.endStream) this.#owner.finished(stream);
    else if (stream.headerBlocks > 1) this.#owner.violated(stream, ErrorCode.protocolError);
  }

  #onReset(streamId: number, code: number): void {
    const stream = this.#owner.streams.named(streamId);
    if (stream !== undefined) this.#owner.resetByPeer(stream, code);
  }

  #onSettings(flags: number, payload: Buffer): void {
    if ((flags & Flag.ack) !== 0) {
      exactly(payload, 0);
      return;
    }
    this.#owner.sender.applySettings(payload, this.#owner.streams.all());
    this.#hasSettings = true;
    this.#owner.settingsApplied();
  }

  #onWindowUpdate(streamId: number, increment: number): void {
    const { sender, streams } = this.#owner;
    if (streamId === 0) {
      if (increment === 0) throw new Http2Error(ErrorCode.protocolError, 'WINDOW_UPDATE by 0');
      sender.openConnection(increment);
    } else {
      const stream = streams.named(streamId);
      if (stream === undefined) return;
      if (increment === 0) {
        this.#owner.violated(stream, ErrorCode.protocolError);
        return;
      }
      sender.openStream(stream, increment);
    }
    this.#owner.sendable();
  }
}

function exactly(payload: Buffer, length: number): Buffer {
  if (payload.length === length) return payload;
  throw new Http2Error(ErrorCode.frameSizeError, `a frame of ${payload.length} bytes instead of ${length}`);
}

function ignoreField(): void {}
