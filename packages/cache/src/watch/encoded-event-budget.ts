/** An event whose cached encodings can be dropped. */
export interface EncodedEvent {
  /** Monotonic milliseconds of its arrival. */
  readonly at: number;
  dropEncodings(): void;
}

/** Bounds the encoded events that are cached for watchers not yet served; the oldest are dropped first. */
export class EncodedEventBudget {
  readonly #limitBytes: number;
  #kept: ({ readonly item: EncodedEvent; readonly bytes: number } | undefined)[] = [];
  #head = 0;
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(item: EncodedEvent, bytes: number): void {
    this.#kept.push({ item, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#limitBytes && this.#head < this.#kept.length - 1) this.#dropOldest();
  }

  /** Drops encodings of events that arrived before `time` (monotonic milliseconds). */
  expire(time: number): void {
    for (let oldest = this.#kept[this.#head]; oldest !== undefined && oldest.item.at < time; ) {
      this.#dropOldest();
      oldest = this.#kept[this.#head];
    }
  }

  #dropOldest(): void {
    const oldest = this.#kept[this.#head];
    this.#kept[this.#head++] = undefined;
    this.#bytes -= oldest?.bytes ?? 0;
    oldest?.item.dropEncodings();
    if (this.#head > 256 && this.#head * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#head);
      this.#head = 0;
    }
  }
}
