import { reservedWords } from '../decl/escape.ts';
import { negateInt } from '../values/arithmetic.ts';
import { Double, isInt, MAX_INT64 } from '../values/value.ts';
import type { ElementNode, EntryNode, Node, StructFieldNode } from './ast.ts';
import { checkHeight } from './height.ts';
import { type Token, tokenize } from './lexer.ts';
import { expandMacro } from './macros.ts';
import { CelSyntaxError, sourceIssue } from './source.ts';
import { SyntaxIssue } from './syntax-issue.ts';

/** Deepest nesting of parentheses, brackets and chains of operators. */
const MAX_DEPTH = 250;

export interface ParseOptions {
  /** Reports whether a macro, by its name and number of arguments (`all/2`), is expanded. */
  readonly hasMacro: (key: string) => boolean;
  /** Whether fields may be written between backquotes. */
  readonly quotedFields?: boolean;
}

/** Binary operators from the weakest; those of one row have the same strength and group from the left. */
const levels: readonly (readonly string[])[] = [
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Parses an expression. Throws a CelSyntaxError. */
export function parse(source: string, options: ParseOptions): Node {
  const problem = sourceIssue(source);
  if (problem !== undefined) throw new CelSyntaxError('', [problem]);
  try {
    const node = new Parser(tokenize(source), options).parse();
    checkHeight(node);
    return node;
  } catch (error) {
    if (error instanceof SyntaxIssue) throw new CelSyntaxError(source, [error.issue]);
    throw error;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #options: ParseOptions;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], options: ParseOptions) {
    this.#tokens = tokens;
    this.#options = options;
  }

  parse(): Node {
    const node = this.#expression();
    if (this.#peek().kind !== 'end') throw this.#unexpected();
    return node;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '', at: 0 };
  }

  #take(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#next++;
    return token;
  }

  /** Takes the operator when it is next. */
  #accept(text: string): Token | undefined {
    const token = this.#peek();
    return token.kind === 'operator' && token.text === text ? this.#take() : undefined;
  }

  #expect(text: string): Token {
    const token = this.#accept(text);
    if (token !== undefined) return token;
    const { kind, text: found, at } = this.#peek();
    throw new SyntaxIssue(at, `Syntax error: missing '${text}' at '${kind === 'end' ? '<EOF>' : found}'`);
  }

  #unexpected(expecting?: string): SyntaxIssue {
    const { kind, text, at } = this.#peek();
    const found = kind === 'end' ? '<EOF>' : text;
    const suffix = expecting === undefined ? '' : ` expecting ${expecting}`;
    return new SyntaxIssue(at, `Syntax error: mismatched input '${found}'${suffix}`);
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH)
      throw new SyntaxIssue(this.#peek().at, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    const result = read();
    this.#depth--;
    return result;
  }

  #expression(): Node {
    return this.#nested(() => {
      const test = this.#logical('||');
      const question = this.#accept('?');
      if (question === undefined) return test;
      const yes = this.#logical('||');
      this.#expect(':');
      return { kind: 'conditional', at: question.at, test, yes, no: this.#expression() };
    });
  }

  #logical(operator: '||' | '&&'): Node {
    const term = (): Node => (operator === '||' ? this.#logical('&&') : this.#binary(0));
    const terms = [term()];
    const operatorsAt: number[] = [];
    for (let token = this.#accept(operator); token !== undefined; token = this.#accept(operator)) {
      operatorsAt.push(token.at);
      terms.push(term());
    }
    const [only] = terms;
    if (only !== undefined && terms.length === 1) return only;
    return { kind: 'logical', at: operatorsAt[0] ?? 0, operator, terms, operatorsAt };
  }

  #binary(level: number): Node {
    const operators = levels[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const token = this.#peek();
      if (token.kind !== 'operator' || !operators.includes(token.text)) return left;
      this.#take();
      const right = this.#binary(level + 1);
      const name = token.text === 'in' ? '@in' : `_${token.text}_`;
      left = { kind: 'call', at: token.at, name, args: [left, right] };
    }
  }

  #unary(): Node {
    const operator = this.#peek();
    if (operator.kind !== 'operator' || (operator.text !== '!' && operator.text !== '-'))
      return this.#member();
    let count = 0;
    while (this.#accept(operator.text) !== undefined) count++;
    if (operator.text === '-' && count === 1 && this.#isNumber()) return this.#member(true);
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return { kind: 'call', at: operator.at, name: operator.text === '!' ? '!_' : '-_', args: [operand] };
  }

  #isNumber(): boolean {
    const { kind, value } = this.#peek();
    return kind === 'literal' && (isInt(value) || value instanceof Double);
  }

  /** A primary with the selections, indices and calls that follow it. A number may have had a sign before it. */
  #member(negative = false): Node {
    let node = negative ? this.#negativeNumber() : this.#primary();
    for (;;) {
      const token = this.#peek();
      if (token.kind !== 'operator') return node;
      if (this.#accept('.') !== undefined) node = this.#selection(node, token.at);
      else if (this.#accept('[') !== undefined) {
        const optional = this.#accept('?') !== undefined;
        const index = this.#expression();
        this.#expect(']');
        node = { kind: 'index', at: token.at, operand: node, index, optional };
      } else if (token.text === '{' && isTypeName(node)) node = this.#struct(node, token.at);
      else return node;
    }
  }

  #negativeNumber(): Node {
    const { value, at } = this.#take();
    if (value instanceof Double) return { kind: 'literal', at: at - 1, value: new Double(-value.value) };
    return { kind: 'literal', at: at - 1, value: isInt(value) ? negateInt(value) : 0 };
  }

  #selection(operand: Node, dot: number): Node {
    const optional = this.#accept('?') !== undefined;
    const field = this.#fieldName();
    const open = optional ? undefined : this.#accept('(');
    if (open === undefined)
      return { kind: 'select', at: dot, operand, field, mode: optional ? 'optional' : 'plain' };
    const args = this.#arguments();
    return this.#macro({ at: open.at, name: field, target: operand, args });
  }

  #fieldName(): string {
    const token = this.#peek();
    const allowed = token.kind === 'name' || (token.kind === 'quoted' && this.#options.quotedFields === true);
    if (!allowed) throw this.#unexpected('IDENTIFIER');
    this.#take();
    return token.kind === 'quoted' ? token.text.slice(1, -1) : token.text;
  }

  #macro(call: { at: number; name: string; target?: Node; args: readonly Node[] }): Node {
    const key = `${call.name}/${call.args.length}`;
    const expanded = this.#options.hasMacro(key) ? expandMacro(call) : undefined;
    return expanded ?? { kind: 'call', ...call };
  }

  #arguments(): Node[] {
    const args: Node[] = [];
    if (this.#accept(')') !== undefined) return args;
    do args.push(this.#expression());
    while (this.#accept(',') !== undefined);
    this.#expect(')');
    return args;
  }

  #primary(): Node {
    const token = this.#take();
    if (token.kind === 'literal') {
      const { value = null, at } = token;
      if (typeof value === 'bigint' && value > MAX_INT64) throw new SyntaxIssue(at, 'invalid int literal');
      return { kind: 'literal', at, value };
    }
    if (token.kind === 'name') return this.#name(token, '');
    if (token.kind === 'operator') {
      if (token.text === '(') {
        const inner = this.#expression();
        this.#expect(')');
        return inner;
      }
      if (token.text === '[') return this.#list(token.at);
      if (token.text === '{') return this.#map(token.at);
      if (token.text === '.' && this.#peek().kind === 'name') return this.#name(this.#take(), '.');
    }
    if (token.kind !== 'end') this.#next--;
    throw this.#unexpected();
  }

  #name({ text, at }: Token, dot: '' | '.'): Node {
    if (reservedWords.has(text)) throw new SyntaxIssue(at, `reserved identifier: ${text}`);
    const open = this.#accept('(');
    if (open === undefined) return { kind: 'ident', at, name: dot + text };
    return this.#macro({ at: open.at, name: dot + text, args: this.#arguments() });
  }

  #list(at: number): Node {
    const elements = this.#sequence(']', (): ElementNode => {
      const optional = this.#accept('?') !== undefined;
      return { value: this.#expression(), optional };
    });
    return { kind: 'list', at, elements };
  }

  #map(at: number): Node {
    const entries = this.#sequence('}', (): EntryNode => {
      const optional = this.#accept('?') !== undefined;
      const key = this.#expression();
      const colon = this.#expect(':');
      return { at: colon.at, key, value: this.#expression(), optional };
    });
    return { kind: 'map', at, entries };
  }

  #struct(name: Node, at: number): Node {
    this.#expect('{');
    const fields = this.#sequence('}', (): StructFieldNode => {
      const optional = this.#accept('?') !== undefined;
      const field = this.#fieldName();
      const colon = this.#expect(':');
      return { at: colon.at, name: field, value: this.#expression(), optional };
    });
    return { kind: 'struct', at, name: dottedName(name) ?? '', fields };
  }

  /** Items between commas up to `end`; a comma may follow the last one. */
  #sequence<T>(end: string, read: () => T): T[] {
    const items: T[] = [];
    while (this.#accept(end) === undefined) {
      items.push(read());
      if (this.#accept(',') === undefined) {
        this.#expect(end);
        break;
      }
    }
    return items;
  }
}

const isTypeName = (node: Node): boolean => dottedName(node) !== undefined;

/** `a.b.c` of plain selections; undefined for other expressions. */
export function dottedName(node: Node): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.mode !== 'plain') return undefined;
  const prefix = dottedName(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}
