import {
  type LabelOperator,
  type LabelRequirement,
  type LabelSelector,
  labelRequirement,
  labelSelector,
} from './label-selector.ts';
import { checkLength, quoted, SelectorError } from './selector-error.ts';

interface Token {
  readonly text: string;
  /** Position of the first character, from 0. */
  readonly at: number;
  /** `word`: a key, value or operator in letters. `end` has no text. */
  readonly kind: 'word' | 'symbol' | 'end';
}

/** Most requirements that one label selector may have. */
const MAX_LABEL_REQUIREMENTS = 1024;

const lexeme = /\s*(?:(==|!=|[=!(),<>])|([^\s=!(),<>]+)|($))/y;

function tokens(text: string): Token[] {
  const out: Token[] = [];
  lexeme.lastIndex = 0;
  for (;;) {
    const found = lexeme.exec(text);
    if (found === null) throw new SelectorError(`unable to parse the label selector ${quoted(text)}`);
    const [whole, symbol, word] = found;
    const value = symbol ?? word ?? '';
    const at = found.index + whole.length - value.length;
    out.push({
      text: value,
      at,
      kind: symbol !== undefined ? 'symbol' : word !== undefined ? 'word' : 'end',
    });
    if (symbol === undefined && word === undefined) return out;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(list: readonly Token[]) {
    this.#tokens = list;
  }

  peek(): Token {
    return this.#tokens[this.#next] ?? { text: '', at: 0, kind: 'end' };
  }

  take(): Token {
    const token = this.peek();
    this.#next++;
    return token;
  }

  fail(token: Token, expected: string): never {
    const found = token.kind === 'end' ? 'end of text' : quoted(token.text);
    throw new SelectorError(
      `unable to parse the label selector: found ${found} at position ${token.at}, expected: ${expected}`,
    );
  }

  requirements(): LabelRequirement[] {
    const out: LabelRequirement[] = [];
    if (this.peek().kind === 'end') return out;
    for (;;) {
      out.push(this.#requirement());
      if (out.length > MAX_LABEL_REQUIREMENTS) {
        throw new SelectorError(`the label selector has more than ${MAX_LABEL_REQUIREMENTS} requirements`);
      }
      const separator = this.take();
      if (separator.kind === 'end') return out;
      if (separator.text !== ',' || separator.kind !== 'symbol') this.fail(separator, "',' or end of text");
    }
  }

  #requirement(): LabelRequirement {
    const negated = this.peek().text === '!' && this.peek().kind === 'symbol';
    if (negated) this.take();
    const key = this.take();
    if (key.kind !== 'word') this.fail(key, negated ? 'a label key' : "a label key or '!'");
    if (negated) return labelRequirement(key.text, 'DoesNotExist', []);
    const next = this.peek();
    if (next.kind === 'end' || next.text === ',') return labelRequirement(key.text, 'Exists', []);
    const { operator, values } = this.#condition();
    return labelRequirement(key.text, operator, values);
  }

  #condition(): { operator: LabelOperator; values: string[] } {
    const token = this.take();
    switch (token.text) {
      case '=':
      case '==':
        return { operator: 'In', values: [this.#value()] };
      case '!=':
        return { operator: 'NotIn', values: [this.#value()] };
      case '>':
        return { operator: 'Gt', values: [this.#value()] };
      case '<':
        return { operator: 'Lt', values: [this.#value()] };
      case 'in':
        return { operator: 'In', values: this.#set() };
      case 'notin':
        return { operator: 'NotIn', values: this.#set() };
      default:
        return this.fail(token, "'=', '==', '!=', '<', '>', 'in', 'notin' or ','");
    }
  }

  /** One value; an absent value is the empty value. */
  #value(): string {
    const next = this.peek();
    if (next.kind === 'end' || next.text === ',') return '';
    if (next.kind !== 'word') this.fail(next, 'a label value');
    return this.take().text;
  }

  #set(): string[] {
    const open = this.take();
    if (open.text !== '(') this.fail(open, "'('");
    const out: string[] = [];
    for (;;) {
      // An absent value between separators is the empty value, as in `x in (a,)`.
      out.push(this.peek().kind === 'word' ? this.take().text : '');
      const token = this.take();
      if (token.text === ')') return out;
      if (token.text !== ',') this.fail(token, "',' or ')'");
    }
  }
}

/**
 * Reads the string form: `a=b, c==d, e!=f, g in (x,y), h notin (z), i, !j, k>5, l<7`; `''` selects everything. Throws a
 * SelectorError with the position of the error.
 */
export function parseLabelSelector(text: string): LabelSelector {
  checkLength('label', text);
  return labelSelector(new Parser(tokens(text)).requirements());
}
