import type { KeyValue } from '@orch/storage';
import type { AdoptedSlabs, Moves } from '../objects/adopted-slabs.ts';
import type { PlacedObject, SourceEvent, SourceObject } from '../objects/object-source.ts';
import type { FeedMessage, SentEvent, SentObject, SentPlace } from './messages.ts';

type Part = Extract<FeedMessage, { type: 'part' }>;
type Labelled = Pick<Part, 'labels'>;

/** Decodes messages, whose slabs this thread then knows. */
export class FeedDecoder {
  readonly #slabs: AdoptedSlabs;

  constructor(slabs: AdoptedSlabs) {
    this.#slabs = slabs;
  }

  learn({ slabs }: Pick<Part, 'slabs'>): void {
    for (const { id, buffer } of slabs) this.#slabs.add(id, buffer);
  }

  part(part: Part): readonly SourceObject[] {
    const placed = part.objects.map((object) => this.#object(object, part, part.form));
    return part.unreadable.length === 0 ? placed : [...placed, ...part.unreadable];
  }

  events(batch: Extract<FeedMessage, { type: 'batch' }>): readonly SourceEvent[] {
    return batch.events.map((event) => this.#event(event, batch));
  }

  moves({ from, to, offsets }: Extract<FeedMessage, { type: 'retired' }>): Moves | undefined {
    return from && { from, offsets, slabs: Array.from(to, (id) => this.#slabs.get(id)) };
  }

  #event(event: SentEvent, message: Labelled): SourceEvent {
    switch (event[0]) {
      case 'placed':
        return { type: 'put', kv: this.#object(event[1], message, event[2]) };
      case 'stored':
        return { type: 'put', kv: storedValue(event[1]) };
      case 'delete':
        return { type: 'delete', key: event[1], modRevision: event[2] };
    }
  }

  #object(
    [key, modRevision, place, revisionOffset, labels, fields]: SentObject,
    message: Labelled,
    form: string | undefined,
  ): PlacedObject {
    const json = this.#json(place);
    return {
      key,
      modRevision,
      placed: { json, labels: message.labels[labels] ?? {}, fields, revisionOffset, form },
    };
  }

  #json(place: SentPlace): PlacedObject['placed']['json'] {
    if (place instanceof Uint8Array) return bufferOf(place);
    const [slab, offset, size] = place;
    return { slab: this.#slabs.get(slab), offset, size };
  }
}

/** Messages turn buffers into arrays. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const storedValue = (kv: KeyValue): KeyValue =>
  kv.unreadable === undefined ? { ...kv, value: bufferOf(kv.value) } : kv;
