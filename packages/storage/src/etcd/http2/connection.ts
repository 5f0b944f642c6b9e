import { DEFAULT_WINDOW_BYTES, ErrorCode, Http2Error, Setting } from './constants.ts';
import { FrameParser } from './frame-parser.ts';
import { FrameWriter } from './frame-writer.ts';
import { HeaderCollector } from './header-collector.ts';
import { Inbound, type InboundOwner } from './inbound.ts';
import { ReceiveWindow } from './receive-window.ts';
import { SendScheduler } from './send-scheduler.ts';
import type { Delivery, StreamEnd, StreamEvents, StreamState } from './stream.ts';
import { StreamTable } from './stream-table.ts';

/** A stream of bytes between two peers: a socket, or what a simulation has instead. */
export interface Transport {
  /** Bytes that were written and not sent yet. */
  readonly writableLength: number;
  write(bytes: Buffer): unknown;
  destroy(): unknown;
  on(event: 'error' | 'close' | 'end', listener: (error: Error) => void): unknown;
}

/** Events of a connection for its owner. */
export interface ConnectionEvents {
  /** The peer's SETTINGS arrived: streams may be started. */
  ready(): void;
  /** The connection accepts no new streams; open ones may complete. */
  draining(): void;
  /** Below the peer's limit of streams again. */
  capacity(): void;
  /** Closed; every stream has ended before. `cause` is absent after `close` without one. */
  closed(cause: Error | undefined): void;
}

export interface ConnectionOptions {
  /** Bytes that the peer may send on one stream before it must wait. */
  readonly streamWindowBytes: number;
  /** Bytes that the peer may send on all streams together. */
  readonly connectionWindowBytes: number;
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Limit of unsent answers to PING and SETTINGS when the peer does not read. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

/**
 * The client's side of one HTTP/2 connection (RFC 9113) on a connected transport, which it owns. Requests of one tick of
 * the event loop are sent in one write, after the input of the tick.
 */
export class Connection {
  readonly #socket: Transport;
  readonly #events: ConnectionEvents;
  readonly #writer: FrameWriter;
  readonly #sender: SendScheduler;
  readonly #streams: StreamTable;
  readonly #parser: FrameParser;
  /** At least the first bytes of the streams below it were passed to the socket. */
  #flushedBelow = 1;
  #flushScheduled = false;
  #ready = false;
  #draining = false;
  #closed = false;
  #activity = 0;

  constructor(socket: Transport, options: ConnectionOptions, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    this.#streams = new StreamTable(options.streamWindowBytes);
    this.#writer = new FrameWriter({
      write: (bytes) => socket.write(bytes),
      get idle() {
        return socket.writableLength === 0;
      },
    });
    this.#sender = new SendScheduler(this.#writer);
    this.#parser = new FrameParser(
      new Inbound(this.#inboundOwner(), new ReceiveWindow(options.connectionWindowBytes)),
    );
    socket.on('error', (error) => this.#destroy(error));
    socket.on('close', () => this.#destroy(new Error('the connection was closed')));
    socket.on('end', () => this.#destroy(new Error('the peer ended the connection')));
    this.#sendPreface(options);
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  /** Incremented by every read: shows whether the peer is alive. */
  get activity(): number {
    return this.#activity;
  }

  /** Whether a stream may be started now. */
  get available(): boolean {
    return this.usable && this.#streams.size < this.#sender.settings.maxConcurrentStreams;
  }

  /** Whether streams may be started, now or when others have ended. */
  get usable(): boolean {
    return this.#ready && !this.#draining && !this.#closed;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Processes the first `length` bytes that the socket read; the buffer may be reused afterwards. */
  receive(chunk: Buffer, length: number): void {
    if (this.#closed) return;
    this.#activity++;
    try {
      this.#parser.feed(chunk, length);
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      this.#sendGoAway(cause instanceof Http2Error ? cause.code : ErrorCode.internalError);
      this.#destroy(cause);
    }
  }

  /** Starts a stream; `end`: whether `body` is the complete request. Only when `available`. */
  start(block: Buffer, body: Buffer, end: boolean, events: StreamEvents): StreamState {
    const stream = this.#streams.open(events, this.#sender.settings.initialWindowBytes);
    this.#writer.headers(stream.id, block, false);
    this.#sender.send(stream, body, end);
    this.#scheduleFlush();
    if (this.#streams.exhausted) this.drain();
    return stream;
  }

  /** Sends more of a request that was started without `end`. The caller bounds the amount of unanswered data. */
  send(stream: StreamState, body: Buffer): void {
    if (!this.#streams.has(stream)) return;
    this.#sender.send(stream, body, false);
    this.#scheduleFlush();
  }

  /** Cancels a stream: its events are no longer called. Returns how much of the request the peer may have received. */
  cancel(stream: StreamState): Delivery {
    // Data waiting for the next flush is sent with the reset, and may be processed before the reset is read.
    const delivery = isWhole(stream) ? 'sent' : 'incomplete';
    if (this.#streams.has(stream)) this.#reset(stream, ErrorCode.cancel);
    return delivery;
  }

  /** Stops the peer from sending on the stream once its window is exhausted; `release` resumes it. */
  hold(stream: StreamState): void {
    stream.receiving.hold();
  }

  release(stream: StreamState): void {
    stream.receiving.release();
    if (this.#streams.has(stream)) this.#grant(stream.id, stream.receiving);
  }

  /** Sends a PING; any answer counts as `activity`. */
  ping(): void {
    this.#writer.ping(Buffer.alloc(8), false);
    this.#scheduleFlush();
  }

  /** Accepts no new streams, and closes when the last one has ended. */
  drain(): void {
    if (this.#draining || this.#closed) return;
    this.#draining = true;
    this.#events.draining();
    this.#closeWhenDrained();
  }

  /** Closes the connection now; streams end as lost, with the given cause. */
  close(cause?: Error): void {
    if (this.#closed) return;
    this.#sendGoAway(ErrorCode.noError);
    this.#destroy(cause);
  }

  #inboundOwner(): InboundOwner {
    return {
      streams: this.#streams,
      sender: this.#sender,
      settingsApplied: () => this.#onSettingsApplied(),
      pinged: (payload) => {
        this.#writer.ping(payload, true);
        this.#scheduleAnswer();
      },
      goingAway: (lastStreamId) => this.#onGoingAway(lastStreamId),
      sendable: () => this.#scheduleFlush(),
      grant: (streamId, window) => this.#grant(streamId, window),
      finished: (stream) => this.#onFinished(stream),
      resetByPeer: (stream, code) =>
        this.#end(stream, code === ErrorCode.refusedStream ? { kind: 'refused' } : { kind: 'reset', code }),
      violated: (stream, code) => {
        this.#writer.rstStream(stream.id, code);
        this.#scheduleFlush();
        this.#end(stream, { kind: 'reset', code });
      },
    };
  }

  #sendPreface(options: ConnectionOptions): void {
    this.#writer.raw(PREFACE);
    this.#writer.settings([
      [Setting.enablePush, 0],
      [Setting.initialWindowSize, options.streamWindowBytes],
      [Setting.maxHeaderListSize, HeaderCollector.maxListBytes],
    ]);
    this.#writer.windowUpdate(0, options.connectionWindowBytes - DEFAULT_WINDOW_BYTES);
    this.#writer.flush();
  }

  #onSettingsApplied(): void {
    this.#writer.settingsAck();
    this.#scheduleAnswer();
    if (!this.#ready) {
      this.#ready = true;
      this.#events.ready();
    } else if (this.available) {
      this.#events.capacity();
    }
  }

  #onGoingAway(lastStreamId: number): void {
    this.drain();
    for (const stream of this.#streams.all()) {
      if (stream.id > lastStreamId) this.#end(stream, { kind: 'refused' });
    }
  }

  /** The peer's END_STREAM. When the request is not complete, the peer has answered without reading all of it. */
  #onFinished(stream: StreamState): void {
    if (!stream.ended) {
      this.#writer.rstStream(stream.id, ErrorCode.cancel);
      this.#scheduleFlush();
    }
    this.#end(stream, { kind: 'finished' });
  }

  #end(stream: StreamState, end: StreamEnd): void {
    this.#remove(stream);
    stream.events.end(end);
    this.#closeWhenDrained();
  }

  #reset(stream: StreamState, code: number): void {
    this.#remove(stream);
    this.#writer.rstStream(stream.id, code);
    this.#scheduleFlush();
    this.#closeWhenDrained();
  }

  #remove(stream: StreamState): void {
    const full = this.#streams.size >= this.#sender.settings.maxConcurrentStreams;
    this.#streams.remove(stream);
    this.#sender.forget(stream);
    if (full && this.available) this.#events.capacity();
  }

  #grant(streamId: number, window: ReceiveWindow): void {
    const increment = window.grant();
    if (increment === 0) return;
    this.#writer.windowUpdate(streamId, increment);
    this.#scheduleFlush();
  }

  #scheduleAnswer(): void {
    if (this.#socket.writableLength > MAX_UNSENT_BYTES) {
      throw new Http2Error(ErrorCode.enhanceYourCalm, 'the peer sends without reading');
    }
    this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#flushScheduled = false;
    if (this.#closed) return;
    this.#writer.flush();
    this.#flushedBelow = this.#streams.nextId;
  };

  #closeWhenDrained(): void {
    if (this.#draining && this.#streams.size === 0) this.close();
  }

  /** The kernel accepts these few bytes at once or not at all: closing never waits for a dead peer. */
  #sendGoAway(code: number): void {
    this.#writer.goaway(code);
    this.#writer.flush();
  }

  #destroy(cause: Error | undefined): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.destroy();
    for (const stream of this.#streams.all()) {
      this.#streams.remove(stream);
      stream.events.end(this.#lost(stream, cause ?? new Error('closed')));
    }
    this.#events.closed(cause);
  }

  #lost(stream: StreamState, cause: Error): StreamEnd {
    const reached: Delivery = isWhole(stream) ? 'sent' : 'incomplete';
    return { kind: 'lost', delivery: stream.id >= this.#flushedBelow ? 'unsent' : reached, cause };
  }
}

/** The request was sent completely. */
function isWhole(stream: StreamState): boolean {
  return stream.outbox.length === 0;
}
