import type { Socket } from 'node:net';
import { DEFAULT_WINDOW_BYTES, ErrorCode, Http2Error, Setting } from './constants.ts';
import { FrameParser } from './frame-parser.ts';
import { FrameWriter } from './frame-writer.ts';
import { HeaderCollector } from './header-collector.ts';
import { Inbound, type InboundOwner } from './inbound.ts';
import { ReceiveWindow } from './receive-window.ts';
import { SendScheduler } from './send-scheduler.ts';
import type { Delivery, StreamEnd, StreamEvents, StreamState } from './stream.ts';
import { StreamTable } from './stream-table.ts';

/** What the owner of a connection hears of it. */
export interface ConnectionEvents {
  /** The peer's SETTINGS arrived: streams may be started. */
  ready(): void;
  /** The connection takes no new streams; those that it has may still end in order. */
  draining(): void;
  /** Below the peer's limit of streams again. */
  capacity(): void;
  /** Over; every stream has ended before. `cause` is absent after `close` without one. */
  closed(cause: Error | undefined): void;
}

export interface ConnectionOptions {
  /** What the peer may send on one stream before it must wait. */
  readonly streamWindowBytes: number;
  /** What the peer may send on all streams together. */
  readonly connectionWindowBytes: number;
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Answers to PING and SETTINGS that the peer does not read must not pile up. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

/**
 * The client's side of one HTTP/2 connection (RFC 9113) on a connected socket, which it owns. Requests of one turn
 * of the event loop leave in one write, after the turn's input was handled.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #writer: FrameWriter;
  readonly #sender: SendScheduler;
  readonly #streams: StreamTable;
  readonly #parser: FrameParser;
  /** Streams below it were handed to the socket, at least their beginning. */
  #flushedBelow = 1;
  #flushScheduled = false;
  #ready = false;
  #draining = false;
  #closed = false;
  #activity = 0;

  constructor(socket: Socket, options: ConnectionOptions, events: ConnectionEvents) {
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
    this.#greet(options);
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  /** Grows with every read: tells whether the peer is alive. */
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

  /** Takes the first `length` bytes of what the socket read; the buffer may be reused afterwards. */
  receive(chunk: Buffer, length: number): void {
    if (this.#closed) return;
    this.#activity++;
    try {
      this.#parser.feed(chunk, length);
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      this.#farewell(cause instanceof Http2Error ? cause.code : ErrorCode.internalError);
      this.#destroy(cause);
    }
  }

  /** Starts a stream; `end` says whether `body` is all of the request. Only when `available`. */
  start(block: Buffer, body: Buffer, end: boolean, events: StreamEvents): StreamState {
    const stream = this.#streams.open(events, this.#sender.settings.initialWindowBytes);
    this.#writer.headers(stream.id, block, false);
    this.#sender.send(stream, body, end);
    this.#scheduleFlush();
    if (this.#streams.exhausted) this.drain();
    return stream;
  }

  /** Sends more of a request that was started without `end`. The caller bounds how much it sends unanswered. */
  send(stream: StreamState, body: Buffer): void {
    if (!this.#streams.has(stream)) return;
    this.#sender.send(stream, body, false);
    this.#scheduleFlush();
  }

  /** Gives a stream up: its events are not called any more. Says how much of the request the peer may have. */
  cancel(stream: StreamState): Delivery {
    // What waits for the next flush leaves with the reset, and may be acted on before the reset is read.
    const delivery = isWhole(stream) ? 'sent' : 'incomplete';
    if (this.#streams.has(stream)) this.#reset(stream, ErrorCode.cancel);
    return delivery;
  }

  /** Stops the peer from sending on the stream once its window is used up; `release` lets it go on. */
  hold(stream: StreamState): void {
    stream.receiving.hold();
  }

  release(stream: StreamState): void {
    stream.receiving.release();
    if (this.#streams.has(stream)) this.#grant(stream.id, stream.receiving);
  }

  /** Asks for a sign of life: any answer counts as `activity`. */
  ping(): void {
    this.#writer.ping(Buffer.alloc(8), false);
    this.#scheduleFlush();
  }

  /** Takes no new streams, and closes when the last one has ended. */
  drain(): void {
    if (this.#draining || this.#closed) return;
    this.#draining = true;
    this.#events.draining();
    this.#closeWhenDrained();
  }

  /** Ends the connection now; streams end as lost, for the given cause. */
  close(cause?: Error): void {
    if (this.#closed) return;
    this.#farewell(ErrorCode.noError);
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

  #greet(options: ConnectionOptions): void {
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

  /** The peer's END_STREAM. When our side is not finished, the peer has decided without reading all of it. */
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

  /** The kernel takes these few bytes at once, if it takes them at all: nothing waits for a peer that is gone. */
  #farewell(code: number): void {
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

/** Nothing of what was to be sent is missing. */
function isWhole(stream: StreamState): boolean {
  return stream.outbox.length === 0;
}
