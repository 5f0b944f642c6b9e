import { functionNames } from './functions.ts';
import {
  type GoTemplate,
  type Node,
  type Operand,
  type Pipeline,
  type Place,
  TemplateError,
} from './nodes.ts';
import { type Piece, piecesOf, type Token } from './tokens.ts';

type Action = Extract<Piece, { kind: 'action' }>;

/** The keyword that ends a list of nodes. */
interface Ending {
  readonly word: 'end' | 'else' | '';
  /** The rest of `else if` and `else with`. */
  readonly rest: ActionTokens | undefined;
}

/** Blocks and parentheses within each other. */
const MAX_DEPTH = 200;

/** Reads a template of the language of Go. Throws a TemplateError with its line. */
export const parseGoTemplate = (source: string): GoTemplate =>
  new TemplateParser(piecesOf(source)).template();

class TemplateParser {
  readonly #pieces: readonly Piece[];
  readonly #defined = new Map<string, readonly Node[]>();
  readonly #scopes: Set<string>[] = [new Set(['$'])];
  #at = 0;
  #ranges = 0;
  #depth = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  template(): GoTemplate {
    const { nodes, ending } = this.#list();
    if (ending.word !== '') throw this.#error(`unexpected {{${ending.word}}}`);
    return { main: nodes, defined: this.#defined };
  }

  #list(): { readonly nodes: readonly Node[]; readonly ending: Ending } {
    if (++this.#depth > MAX_DEPTH) throw this.#error('blocks are nested too deeply');
    const nodes: Node[] = [];
    for (;;) {
      const piece = this.#pieces[this.#at++];
      if (piece === undefined) {
        this.#depth -= 1;
        return { nodes, ending: { word: '', rest: undefined } };
      }
      if (piece.kind === 'text') {
        nodes.push(piece);
        continue;
      }
      const ending = this.#action(piece, nodes);
      if (ending === undefined) continue;
      this.#depth -= 1;
      return { nodes, ending };
    }
  }

  /** Adds the node of an action, or returns that it ends the list. */
  #action(action: Action, nodes: Node[]): Ending | undefined {
    const tokens = new ActionTokens(action);
    const keyword = tokens.keyword();
    switch (keyword) {
      case 'end':
      case 'else':
        return { word: keyword, rest: tokens };
      case 'if':
      case 'with':
      case 'range':
        nodes.push(this.#branch(keyword, tokens));
        return undefined;
      case 'define':
        this.#define(tokens.name(), tokens);
        return undefined;
      case 'block':
      case 'template':
        nodes.push(this.#use(keyword, tokens));
        return undefined;
      case 'break':
      case 'continue':
        if (this.#ranges === 0) throw tokens.error(`{{${keyword}}} outside {{range}}`);
        tokens.finish();
        nodes.push({ kind: keyword });
        return undefined;
      default:
        nodes.push({ kind: 'print', pipeline: this.#pipeline(tokens), ...tokens.place });
        return undefined;
    }
  }

  #branch(kind: 'if' | 'with' | 'range', tokens: ActionTokens): Node {
    this.#scopes.push(new Set());
    const pipeline = this.#pipeline(tokens, kind);
    if (kind === 'range') this.#ranges += 1;
    const { nodes: body, ending } = this.#list();
    if (kind === 'range') this.#ranges -= 1;
    const otherwise = this.#otherwise(ending, tokens);
    this.#scopes.pop();
    return { kind, pipeline, body, otherwise, ...tokens.place };
  }

  #otherwise({ word, rest }: Ending, opening: ActionTokens): readonly Node[] {
    if (word === '' || rest === undefined) throw opening.error('unexpected EOF');
    const keyword = word === 'else' ? rest.keyword() : undefined;
    if (keyword === 'if' || keyword === 'with') {
      if (++this.#depth > MAX_DEPTH) throw rest.error('blocks are nested too deeply');
      const nested = this.#branch(keyword, rest);
      this.#depth -= 1;
      return [nested];
    }
    rest.finish();
    if (word === 'end') return [];
    const { nodes, ending } = this.#list();
    if (ending.word !== 'end')
      throw opening.error(ending.word === '' ? 'unexpected EOF' : 'expected end; found {{else}}');
    ending.rest?.finish();
    return nodes;
  }

  #define(name: string, tokens: ActionTokens): void {
    tokens.finish();
    const { nodes, ending } = this.#ownScope(() => this.#list());
    if (ending.word !== 'end')
      throw tokens.error(ending.word === '' ? 'unexpected EOF' : 'unexpected {{else}} in define clause');
    this.#defined.set(name, nodes);
  }

  #use(keyword: 'block' | 'template', tokens: ActionTokens): Node {
    const at = tokens.peek(0)?.at ?? '';
    const name = tokens.name();
    const pipeline = tokens.isAtEnd ? undefined : this.#pipeline(tokens);
    if (keyword === 'block') {
      if (pipeline === undefined) throw tokens.error('missing value for block clause');
      this.#define(name, tokens);
    }
    const source = `{{template ${JSON.stringify(name)}${pipeline === undefined ? '' : ` ${pipeline.source}`}}}`;
    return { kind: 'template', name, pipeline, at, source };
  }

  /** Reads with the variables of a new template. */
  #ownScope<T>(read: () => T): T {
    const [scopes, ranges] = [this.#scopes.splice(0, Number.POSITIVE_INFINITY, new Set(['$'])), this.#ranges];
    this.#ranges = 0;
    const result = read();
    this.#scopes.splice(0, Number.POSITIVE_INFINITY, ...scopes);
    this.#ranges = ranges;
    return result;
  }

  /** A pipeline up to the end of its action. */
  #pipeline(tokens: ActionTokens, context = 'command'): Pipeline {
    const variables = this.#variables(tokens, context === 'range');
    if (tokens.isAtEnd) throw tokens.error(`missing value for ${context}`);
    const pipeline = this.#commands(tokens, variables);
    tokens.finish();
    for (const name of pipeline.variables) if (!pipeline.isAssignment) this.#scopes.at(-1)?.add(name);
    return pipeline;
  }

  /** `$x :=`, `$x =` and, in a range, `$i, $x :=`. */
  #variables(tokens: ActionTokens, isRange: boolean): Pick<Pipeline, 'variables' | 'isAssignment'> {
    const variables: string[] = [];
    let ahead = 0;
    for (;;) {
      const [variable, mark] = [tokens.peek(ahead), tokens.peek(ahead + 1)];
      if (variable?.kind !== 'variable' || mark?.kind !== 'mark') break;
      variables.push(variable.text);
      ahead += 2;
      if (mark.text === ':=' || mark.text === '=') {
        tokens.skip(ahead);
        if (variables.length > 1 && !isRange) throw tokens.error('too many declarations');
        if (mark.text === '=') for (const name of variables) this.#mustExist(name, tokens);
        return { variables, isAssignment: mark.text === '=' };
      }
      if (mark.text !== ',' || variables.length > 1) break;
    }
    return { variables: [], isAssignment: false };
  }

  #commands(tokens: ActionTokens, declared: Pick<Pipeline, 'variables' | 'isAssignment'>): Pipeline {
    const commands: Operand[][] = [];
    const at = tokens.peek(0)?.at ?? tokens.place.at;
    do {
      const command: Operand[] = [];
      for (let operand = this.#operand(tokens); operand !== undefined; operand = this.#operand(tokens))
        command.push(operand);
      const [first] = command;
      if (first === undefined) throw tokens.unexpected();
      if (commands.length > 0 && !isCallable(first))
        throw tokens.error(`non executable command in pipeline stage ${commands.length + 1}`);
      commands.push(command);
    } while (tokens.takeMark('|'));
    const source = commands.map((command) => command.map((one) => one.source).join(' ')).join(' | ');
    return { ...declared, commands, at, source };
  }

  #operand(tokens: ActionTokens): Operand | undefined {
    const first = tokens.next();
    if (first === undefined) return undefined;
    const place = { at: first.at, source: first.text };
    const operand = this.#term(first, tokens, place);
    if (operand === undefined) {
      tokens.back();
      return undefined;
    }
    const fields = first.kind === 'field' ? [first.text] : [];
    const at = fields.length > 0 && isChained(tokens.peek(0)) ? tokens.peek(0)?.at : undefined;
    for (let next = tokens.peek(0); next !== undefined && isChained(next); next = tokens.peek(0)) {
      fields.push(next.text);
      tokens.skip(1);
    }
    const after = tokens.peek(0);
    if (after?.kind === 'dot' && !after.hasSpaceBefore) throw tokens.error('unexpected <.> in operand');
    if (fields.length === 0) return operand;
    const source = `${operand.kind === 'dot' ? '' : operand.source}.${fields.join('.')}`;
    if (operand.kind === 'constant' || operand.kind === 'nil')
      throw tokens.error(`unexpected . after term ${JSON.stringify(operand.source)}`);
    return { kind: 'path', from: operand, fields, at: at ?? place.at, source };
  }

  #term(first: Token, tokens: ActionTokens, place: Place): Operand | undefined {
    switch (first.kind) {
      case 'dot':
      case 'field':
        return { kind: 'dot', ...place };
      case 'constant':
        return { kind: 'constant', value: first.value, ...place };
      case 'variable':
        this.#mustExist(first.text, tokens);
        return { kind: 'variable', name: first.text, ...place };
      case 'word':
        if (first.text === 'nil') return { kind: 'nil', ...place };
        if (!functionNames.has(first.text))
          throw tokens.error(`function ${JSON.stringify(first.text)} not defined`);
        return { kind: 'function', name: first.text, ...place };
      case 'mark':
        return first.text === '(' ? this.#parenthesis(tokens, place) : undefined;
    }
  }

  #parenthesis(tokens: ActionTokens, place: Place): Operand {
    if (++this.#depth > MAX_DEPTH) throw tokens.error('parentheses are nested too deeply');
    const pipeline = this.#commands(tokens, { variables: [], isAssignment: false });
    if (!tokens.takeMark(')')) throw tokens.error('unclosed left paren');
    this.#depth -= 1;
    return { kind: 'pipeline', pipeline, ...place, source: `(${pipeline.source})` };
  }

  #mustExist(name: string, tokens: ActionTokens): void {
    if (!this.#scopes.some((scope) => scope.has(name)))
      throw tokens.error(`undefined variable ${JSON.stringify(name)}`);
  }

  #error(problem: string): TemplateError {
    const last = this.#pieces
      .slice(0, this.#at)
      .findLast((piece): piece is Action => piece.kind === 'action');
    return new TemplateError(`template: output:${last?.line ?? 1}: ${problem}`);
  }
}

const isChained = (token: Token | undefined): boolean => token?.kind === 'field' && !token.hasSpaceBefore;

/** Reports whether a stage of a pipeline can take the value of the one before. */
const isCallable = ({ kind }: Operand): boolean =>
  kind === 'function' || kind === 'path' || kind === 'variable' || kind === 'pipeline';

/** The tokens of one action, read from left to right. */
class ActionTokens {
  readonly #action: Action;
  #at = 0;

  constructor(action: Action) {
    this.#action = action;
  }

  get place(): Place {
    return {
      at: this.#action.at,
      source: this.#action.tokens.map(({ text, kind }) => (kind === 'field' ? `.${text}` : text)).join(' '),
    };
  }

  get isAtEnd(): boolean {
    return this.#at === this.#action.tokens.length;
  }

  keyword(): string | undefined {
    const first = this.peek(0);
    if (first?.kind !== 'word' || functionNames.has(first.text) || first.text === 'nil') return undefined;
    this.#at += 1;
    return keywords.has(first.text) ? first.text : this.#unknown(first.text);
  }

  #unknown(word: string): never {
    throw this.error(`function ${JSON.stringify(word)} not defined`);
  }

  name(): string {
    const first = this.next();
    if (typeof first?.value === 'string') return first.value;
    throw this.error(`unexpected ${first?.text ?? 'end of the action'} in template clause`);
  }

  peek(ahead: number): Token | undefined {
    return this.#action.tokens[this.#at + ahead];
  }

  next(): Token | undefined {
    return this.isAtEnd ? undefined : this.#action.tokens[this.#at++];
  }

  back(): void {
    this.#at -= 1;
  }

  skip(count: number): void {
    this.#at += count;
  }

  takeMark(text: string): boolean {
    const next = this.peek(0);
    if (next?.kind !== 'mark' || next.text !== text) return false;
    this.#at += 1;
    return true;
  }

  finish(): void {
    if (!this.isAtEnd) throw this.unexpected();
  }

  /** The error of a token that does not belong here, or is missing. */
  unexpected(): TemplateError {
    const next = this.peek(0);
    return this.error(
      next === undefined ? 'missing value for command' : `unexpected ${JSON.stringify(next.text)} in command`,
    );
  }

  error(problem: string): TemplateError {
    return new TemplateError(`template: output:${this.#action.line}: ${problem}`);
  }
}

const keywords: ReadonlySet<string> = new Set([
  ...['if', 'with', 'range', 'end', 'else'],
  ...['define', 'block', 'template', 'break', 'continue'],
]);
