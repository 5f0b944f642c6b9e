import { DEFAULT_WINDOW_BYTES, ErrorCode, Http2Error, MAX_WINDOW_BYTES } from './constants.ts';
import type { FrameWriter } from './frame-writer.ts';
import { applySettings, defaultPeerSettings, type PeerSettings } from './peer-settings.ts';
import type { StreamState } from './stream.ts';

/**
 * Sends request bodies as far as the peer's windows allow, and keeps the rest until they open. Waiting streams are
 * served round-robin, one frame each.
 */
export class SendScheduler {
  settings: PeerSettings = defaultPeerSettings;
  readonly #writer: FrameWriter;
  #window = DEFAULT_WINDOW_BYTES;
  readonly #waiting = new Set<StreamState>();

  constructor(writer: FrameWriter) {
    this.#writer = writer;
  }

  /** Sends `body` as far as the windows allow; the rest is copied, so that the caller may reuse its buffer. */
  send(stream: StreamState, body: Buffer, end: boolean): void {
    const size = body.length;
    const room = Math.min(this.#window, stream.sendWindow, this.settings.maxFrameBytes);
    if (stream.outbox.length === 0 && size <= room) {
      this.#writer.data(stream.id, body, end);
      this.#window -= size;
      stream.sendWindow -= size;
      stream.ended = end;
      return;
    }
    stream.outbox.push(Buffer.from(body));
    stream.ending = end;
    this.#waiting.add(stream);
    this.pump();
  }

  forget(stream: StreamState): void {
    this.#waiting.delete(stream);
  }

  applySettings(payload: Buffer, streams: Iterable<StreamState>): void {
    const before = this.settings.initialWindowBytes;
    this.settings = applySettings(this.settings, payload);
    const change = this.settings.initialWindowBytes - before;
    if (change === 0) return;
    for (const stream of streams) stream.sendWindow = checked(stream.sendWindow + change);
    this.pump();
  }

  openConnection(increment: number): void {
    this.#window = checked(this.#window + increment);
    this.pump();
  }

  openStream(stream: StreamState, increment: number): void {
    stream.sendWindow = checked(stream.sendWindow + increment);
    if (this.#waiting.has(stream)) this.pump();
  }

  /** Sends as much as the windows allow. */
  pump(): void {
    let progress = true;
    while (progress && this.#window > 0 && this.#waiting.size > 0) {
      progress = false;
      for (const stream of this.#waiting) {
        if (this.#sendFrame(stream)) progress = true;
        if (stream.outbox.length === 0) this.#waiting.delete(stream);
      }
    }
  }

  #sendFrame(stream: StreamState): boolean {
    const [body] = stream.outbox;
    if (body === undefined) return false;
    const left = body.length - stream.outboxAt;
    const size = Math.min(left, this.#window, stream.sendWindow, this.settings.maxFrameBytes);
    if (size <= 0) return false;
    const last = size === left && stream.outbox.length === 1 && stream.ending;
    this.#writer.data(stream.id, body.subarray(stream.outboxAt, stream.outboxAt + size), last);
    this.#window -= size;
    stream.sendWindow -= size;
    stream.outboxAt += size;
    stream.ended = last;
    if (size === left) {
      stream.outbox.shift();
      stream.outboxAt = 0;
    }
    return true;
  }
}

function checked(window: number): number {
  if (window > MAX_WINDOW_BYTES) throw new Http2Error(ErrorCode.flowControlError, 'a window above 2^31 - 1');
  return window;
}
