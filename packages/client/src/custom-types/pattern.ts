/** Classes of characters that differ between the two languages, or exist in one of them. */
const posix: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

const SPACES = '\\t\\n\\f\\r ';

const ALL_BUT_SPACES = '\\x00-\\x08\\x0b\\x0e-\\x1f!-\\u{10ffff}';

/** Escapes with the same meaning in both languages. */
const sameEscapes = /^\\(?:[dDwWtnrfv]|[pP](?:\{\^?\w+\}|[A-Z])|x[0-9A-Fa-f]{2})/;

/** The flags of a part of a pattern. */
interface Flags {
  /** Letters match both cases. */
  readonly i: boolean;
  /** A dot matches line breaks. */
  readonly s: boolean;
}

/** A pattern in the syntax of servers that is being read. */
class Translation {
  #rest: string;
  #made = '';
  #inClass = false;
  #flags: Flags = { i: false, s: false };
  /** The flags outside of the groups that are open. */
  readonly #outer: Flags[] = [];

  constructor(pattern: string) {
    this.#rest = pattern;
  }

  /** Undefined for a pattern with syntax that has no counterpart. */
  run(): string | undefined {
    while (this.#rest !== '') if (!this.#step()) return undefined;
    return this.#made;
  }

  #step(): boolean {
    const rest = this.#rest;
    if (rest.startsWith('\\')) return this.#escape();
    if (this.#inClass) return this.#inside();
    const class_ = /^\[\^?\]?/.exec(rest)?.[0];
    if (class_ !== undefined) {
      this.#inClass = true;
      return this.#take(class_, class_.replace(/\]$/, '\\]'));
    }
    if (rest.startsWith('(')) return this.#group();
    if (rest.startsWith(')')) {
      this.#flags = this.#outer.pop() ?? this.#flags;
      return this.#take(')');
    }
    if (rest.startsWith('.')) return this.#take('.', this.#flags.s ? '[^]' : '[^\\n]');
    const repeat = /^\{\d+(?:,\d*)?\}/.exec(rest)?.[0];
    if (repeat !== undefined) return this.#take(repeat);
    if (/^[{}\]]/.test(rest)) return this.#take(rest.charAt(0), `\\${rest.charAt(0)}`);
    const [lower, upper] = this.#cases(this.#character());
    return this.#take(this.#character(), lower === upper ? lower : `[${lower}${upper}]`);
  }

  /** A group, or flags for the rest of the group that they are in. */
  #group(): boolean {
    const [text = '', flags, end] = /^\((?:\?(?:P?<[A-Za-z_]\w*>|([is]*)([:)])))?/.exec(this.#rest) ?? [];
    if (text === '(' && this.#rest.startsWith('(?')) return false;
    if (end !== ')') this.#outer.push(this.#flags);
    if (flags !== undefined)
      this.#flags = { i: this.#flags.i || flags.includes('i'), s: this.#flags.s || flags.includes('s') };
    return this.#take(text, end === ')' ? '' : flags === undefined ? text.replace('?P<', '?<') : '(?:');
  }

  /** The cases of a character that match it; twice the same where there is one. */
  #cases(character: string): readonly [string, string] {
    const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
    const isLetter = this.#flags.i && [...lower].length === 1 && [...upper].length === 1;
    return isLetter ? [lower, upper] : [character, character];
  }

  #inside(): boolean {
    const rest = this.#rest;
    const named = /^\[:(\w+):\]/.exec(rest);
    if (named !== null) {
      const [text, name = ''] = named;
      const characters = Object.hasOwn(posix, name) ? posix[name] : undefined;
      return characters !== undefined && this.#take(text, characters);
    }
    if (rest.startsWith('[:')) return false;
    if (rest.startsWith(']')) {
      this.#inClass = false;
      return this.#take(']');
    }
    if (rest.startsWith('[')) return this.#take('[', '\\[');
    const range = this.#flags.i ? /^([a-z]-[a-z]|[A-Z]-[A-Z])/.exec(rest)?.[0] : undefined;
    if (range !== undefined) return this.#take(range, range.toLowerCase() + range.toUpperCase());
    const [lower, upper] = this.#cases(this.#character());
    return this.#take(this.#character(), lower === upper ? lower : lower + upper);
  }

  #escape(): boolean {
    const rest = this.#rest;
    const same = sameEscapes.exec(rest)?.[0];
    if (same !== undefined) return this.#take(same, propertyText(same)) && this.#afterClass();
    const code = /^\\x\{([0-9A-Fa-f]{1,6})\}/.exec(rest);
    if (code !== null) return this.#take(code[0], `\\u{${code[1]}}`);
    const next = rest.charAt(1);
    if (next === 's') return this.#take('\\s', this.#inClass ? SPACES : `[${SPACES}]`) && this.#afterClass();
    if (next === 'S')
      return this.#take('\\S', this.#inClass ? ALL_BUT_SPACES : `[^${SPACES}]`) && this.#afterClass();
    if (next === 'a') return this.#take('\\a', '\\x07');
    if (next === 'A' || next === 'z')
      return !this.#inClass && this.#take(`\\${next}`, next === 'A' ? '^' : '$');
    if (next === 'b' || next === 'B') return !this.#inClass && this.#take(`\\${next}`);
    if (!/^[!-/:-@[-`{-~]$/.test(next)) return false;
    const needsEscape = this.#inClass ? /[\\\]^[-]/.test(next) : /[\\^$.*+?()[\]{}|/]/.test(next);
    return this.#take(`\\${next}`, needsEscape ? `\\${next}` : next);
  }

  /** A dash after a class stands for itself. */
  #afterClass(): boolean {
    return !this.#inClass || !this.#rest.startsWith('-') || this.#take('-', '\\-');
  }

  /** The next code point. */
  #character(): string {
    return String.fromCodePoint(this.#rest.codePointAt(0) ?? 0);
  }

  #take(text: string, made = text): boolean {
    this.#rest = this.#rest.slice(text.length);
    this.#made += made;
    return true;
  }
}

/** A class of Unicode with the name that it has here. */
function propertyText(text: string): string {
  const property = /^\\([pP])\{?(\^?)(\w+)\}?$/.exec(text);
  if (property === null) return text;
  const [, letter = '', negated, name = ''] = property;
  const isNegated = (letter === 'P') !== (negated === '^');
  return `\\${isNegated ? 'P' : 'p'}{${/^[A-Z][a-z]?$/.test(name) ? name : `Script=${name}`}}`;
}

/**
 * The expression of this language that matches the same texts as a pattern of a schema, which is in the syntax of RE2. Undefined for
 * the few patterns that have none; the server alone checks those.
 */
export function expressionOf(pattern: string): RegExp | undefined {
  const translated = new Translation(pattern).run();
  if (translated === undefined) return undefined;
  try {
    return new RegExp(translated, 'u');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
