import {
  CHOMPING_MODE,
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
} from 'js-yaml';
import { exactNumberText, setField } from '../json/index.ts';
import { isNotJson, plainScalar } from './scalars.ts';

/**
 * Characters that versions of YAML read differently: tabs, line breaks of other systems, marks of byte order, controls; directives;
 * marks of documents that are indented; block texts that state their indentation.
 */
const ambiguous = /[^\n -~\xa0-\u2027\u202a-\ufefe\uff00-\ufffd]|^%|^ +(?:---|\.\.\.)|[|>][+-]?[0-9]/m;

/** Characters of the expanded value for each one of a text without aliases, at most. */
const EXPANDED_PER_CHARACTER = 10;

export interface EventLimits {
  readonly maxDepth: number;
  readonly maxExpandedSize: number;
}

/** A string in a form that is left to the full parser. */
class OtherForm extends Error {}

/**
 * The value of a single document in the usual form of YAML, in a tenth of the time of the full parser. Undefined for
 * every other text, including invalid ones and ones beyond a limit: the full parser parses those and reports the error.
 * Others have anchors, tags, merges, repeated keys, several documents, or a form that the two parsers read differently.
 */
export function parseUsualYaml(text: string, limits: EventLimits): { readonly value: unknown } | undefined {
  if (text.length * EXPANDED_PER_CHARACTER > limits.maxExpandedSize || ambiguous.test(text)) return undefined;
  const events = eventsOf(text, limits.maxDepth);
  if (events?.[0]?.type !== EVENT_ID.DOCUMENT || events[0].directives.length > 0) return undefined;
  try {
    const reader = new EventReader(text, events, limits.maxDepth);
    const value = reader.value(0);
    return reader.isAtEnd ? { value } : undefined;
  } catch (error) {
    if (error instanceof OtherForm) return undefined;
    throw error;
  }
}

function eventsOf(text: string, maxDepth: number): readonly Event[] | undefined {
  try {
    return parseEvents(text, { maxDepth });
  } catch {
    // Every error is found again by the full parser, which has a position and a message for it.
    return undefined;
  }
}

class EventReader {
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #maxDepth: number;
  /** After the start of the document. */
  #at = 1;

  constructor(text: string, events: readonly Event[], maxDepth: number) {
    this.#text = text;
    this.#events = events;
    this.#maxDepth = maxDepth;
  }

  /** Whether only the end of the first document is left. */
  get isAtEnd(): boolean {
    return this.#at === this.#events.length - 1;
  }

  value(depth: number): unknown {
    const event = this.#next();
    if (event.type === EVENT_ID.SCALAR) return this.#scalar(event);
    if (event.type !== EVENT_ID.SEQUENCE && event.type !== EVENT_ID.MAPPING) throw new OtherForm();
    if (hasProperties(event) || depth >= this.#maxDepth) throw new OtherForm();
    return event.type === EVENT_ID.SEQUENCE ? this.#sequence(depth + 1) : this.#mapping(depth + 1);
  }

  #next(): Event {
    const event = this.#events[this.#at++];
    if (event === undefined) throw new OtherForm();
    return event;
  }

  /** Reports whether the collection ends here. */
  #ends(): boolean {
    const ends = this.#events[this.#at]?.type === EVENT_ID.POP;
    if (ends) this.#at++;
    return ends;
  }

  #sequence(depth: number): unknown[] {
    const items: unknown[] = [];
    while (!this.#ends()) items.push(this.value(depth));
    return items;
  }

  #mapping(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    while (!this.#ends()) {
      const name = this.#key();
      if (Object.hasOwn(map, name)) throw new OtherForm();
      setField(map, name, this.value(depth));
    }
    return map;
  }

  #key(): string {
    const event = this.#next();
    if (event.type !== EVENT_ID.SCALAR || !this.#isBeforeColon(event)) throw new OtherForm();
    const value = this.#scalar(event);
    if (value === '<<') throw new OtherForm();
    if (typeof value === 'string') return value;
    const name = typeof value === 'boolean' ? String(value) : exactNumberText(value);
    if (name === undefined) throw new OtherForm();
    return name;
  }

  /** Reports whether the colon of the key is on its line, without a comment between them. */
  #isBeforeColon({ valueEnd, style }: ScalarEvent): boolean {
    let at = style === SCALAR_STYLE.PLAIN ? valueEnd : valueEnd + 1;
    while (this.#text[at] === ' ') at++;
    return this.#text[at] === ':';
  }

  #scalar(event: ScalarEvent): unknown {
    // With `+`, the parsers differ in the line breaks after an empty block scalar.
    if (hasProperties(event) || event.chomping === CHOMPING_MODE.KEEP) throw new OtherForm();
    const text = getScalarValue(this.#text, event);
    if (event.style !== SCALAR_STYLE.PLAIN) return text;
    if (isNotJson(text)) throw new OtherForm();
    return plainScalar(text);
  }
}

const hasProperties = ({ anchorStart, tagStart }: { anchorStart: number; tagStart: number }): boolean =>
  anchorStart !== -1 || tagStart !== -1;
