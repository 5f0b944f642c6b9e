import type { Fields } from '@orch/outbound';
import { type ProxiedTarget, rewriteReference } from '../relay/links.ts';
import { joinedValues } from '../relay/proxied-answer.ts';

/** A longer tag is not rewritten. */
const MAX_TAG_LENGTH = 16 * 1024;

const referring: ReadonlySet<string> = new Set([
  'action',
  'background',
  'cite',
  'data',
  'formaction',
  'href',
  'longdesc',
  'manifest',
  'poster',
  'src',
]);

/** Elements whose content is text without tags. */
const textOnly: ReadonlySet<string> = new Set([
  'iframe',
  'noframes',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]);

/** Reports whether an answer is a complete page whose links can be rewritten. */
export function isPage(status: number, fields: Fields): boolean {
  const type = joinedValues(fields['content-type'])?.split(';', 1)[0]?.trim().toLowerCase();
  const encoding = joinedValues(fields['content-encoding'])?.trim().toLowerCase() ?? '';
  return type === 'text/html' && status !== 206 && (encoding === '' || encoding === 'identity');
}

/**
 * Streams a page with its links rewritten by `rewriteReference`, so that links to `/…` lead to the program and not
 * to this server. Buffers one tag at most.
 */
export async function* htmlLinks(body: AsyncIterable<Buffer>, target: ProxiedTarget): AsyncGenerator<Buffer> {
  const page = new PageScanner(target);
  for await (const piece of body) {
    const text = page.push(piece.toString('latin1'));
    if (text !== '') yield Buffer.from(text, 'latin1');
  }
  const rest = page.end();
  if (rest !== '') yield Buffer.from(rest, 'latin1');
}

/** Finds tags in streamed text. Text is bytes as characters: markup is ASCII in all encodings in use. */
class PageScanner {
  readonly #target: ProxiedTarget;
  #pending = '';
  /** Inside a tag: the scanned length, and the open quote. */
  #scanned = 0;
  #quote = '';
  /** The end of the current text without tags; empty outside of it. In lower case. */
  #until = '';

  constructor(target: ProxiedTarget) {
    this.#target = target;
  }

  /** Returns the text that is complete. */
  push(piece: string): string {
    this.#pending += piece;
    let out = '';
    for (let step = this.#step(); step !== undefined; step = this.#step()) out += step;
    return out;
  }

  end(): string {
    const rest = this.#pending;
    this.#pending = '';
    return rest;
  }

  #step(): string | undefined {
    if (this.#pending === '') return undefined;
    if (this.#until !== '') return this.#skipText();
    const start = this.#pending.indexOf('<');
    if (start !== 0) return this.#take(start < 0 ? this.#pending.length : start);
    if (this.#pending.length < 4) return undefined;
    if (this.#pending.startsWith('<!--')) {
      this.#until = '-->';
      return this.#take(4);
    }
    if (!/^<[a-z]/i.test(this.#pending)) return this.#take(1);
    return this.#tag();
  }

  #skipText(): string | undefined {
    const at = this.#pending.toLowerCase().indexOf(this.#until);
    const scanned = at < 0 ? Math.max(0, this.#pending.length - this.#until.length + 1) : at;
    if (at >= 0) this.#until = '';
    // The end mark is processed as normal text.
    return scanned === 0 && at < 0 ? undefined : this.#take(at < 0 ? scanned : at + 1);
  }

  /** The rewritten tag at the start; undefined while it is incomplete. */
  #tag(): string | undefined {
    const text = this.#pending;
    for (let at = Math.max(1, this.#scanned); at < text.length; at++) {
      const character = text.charAt(at);
      if (this.#quote !== '') {
        if (character === this.#quote) this.#quote = '';
      } else if (character === '"' || character === "'") {
        this.#quote = character;
      } else if (character === '>') {
        return this.#changed(this.#take(at + 1));
      }
    }
    this.#scanned = text.length;
    return text.length > MAX_TAG_LENGTH ? this.#take(text.length) : undefined;
  }

  #changed(tag: string): string {
    const name = /^<([a-z][a-z0-9]*)/i.exec(tag)?.[1] ?? '';
    if (textOnly.has(name.toLowerCase())) this.#until = `</${name.toLowerCase()}`;
    if (tag.length > MAX_TAG_LENGTH) return tag;
    const attributes = /([^\s=>"'/]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)|["'][^"']*["']?|[^\s"']+|\s+/g;
    return (
      tag.slice(0, name.length + 1) +
      tag
        .slice(name.length + 1)
        .replace(attributes, (whole, attribute, equals, value) =>
          typeof attribute === 'string' && referring.has(attribute.toLowerCase())
            ? `${attribute}${equals}${this.#reference(value)}`
            : whole,
        )
    );
  }

  #reference(value: string): string {
    const quote = /^["']/.exec(value)?.[0] ?? '';
    const reference = quote === '' ? value : value.slice(1, -1);
    // Relative references need no prefix.
    if (!reference.startsWith('/') && !reference.includes('://')) return value;
    return `${quote}${rewriteReference(reference, this.#target)}${quote}`;
  }

  #take(length: number): string {
    const taken = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    this.#scanned = 0;
    this.#quote = '';
    return taken;
  }
}
