import { messageOf } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { valueText } from './format.ts';
import { functions } from './functions.ts';
import {
  type Branch,
  type GoTemplate,
  type Node,
  type Operand,
  type Pipeline,
  type Place,
  TemplateError,
} from './nodes.ts';
import { integerOf, isTrue, kindOf, sortedEntries, typeOf } from './values.ts';

/** Templates that use each other. */
const MAX_DEPTH = 500;

/** A loop is left, or continued with its next item. */
type Jump = 'break' | 'continue' | undefined;

interface Variable {
  readonly name: string;
  value: unknown;
}

export interface EvaluateOptions {
  /** Whether a field that a map does not have is an error; it prints as `<no value>` otherwise. */
  readonly failsOnMissing?: boolean;
}

/** The text of a template for a value. Throws a TemplateError with the place where they do not fit. */
export function goTemplateText(template: GoTemplate, value: unknown, options: EvaluateOptions = {}): string {
  const run = new TemplateRun(template, options);
  run.template('output', value);
  return run.text;
}

class TemplateRun {
  readonly #template: GoTemplate;
  readonly #failsOnMissing: boolean;
  readonly #texts: string[] = [];
  #name = 'output';
  #variables: Variable[] = [];
  #depth = 0;

  constructor(template: GoTemplate, { failsOnMissing = false }: EvaluateOptions) {
    this.#template = template;
    this.#failsOnMissing = failsOnMissing;
  }

  get text(): string {
    return this.#texts.join('');
  }

  template(name: string, dot: unknown, place?: Place): void {
    const nodes = name === 'output' ? this.#template.main : this.#template.defined.get(name);
    if (nodes === undefined) throw this.#error(place, `template ${JSON.stringify(name)} not defined`);
    if (++this.#depth > MAX_DEPTH) throw this.#error(place, `exceeded maximum template depth (${MAX_DEPTH})`);
    const [outer, outerName] = [this.#variables, this.#name];
    [this.#variables, this.#name] = [[{ name: '$', value: dot }], name];
    this.#nodes(nodes, dot);
    [this.#variables, this.#name] = [outer, outerName];
    this.#depth -= 1;
  }

  #nodes(nodes: readonly Node[], dot: unknown): Jump {
    for (const node of nodes) {
      const jump = this.#node(node, dot);
      if (jump !== undefined) return jump;
    }
    return undefined;
  }

  #node(node: Node, dot: unknown): Jump {
    switch (node.kind) {
      case 'text':
        this.#texts.push(node.text);
        return undefined;
      case 'print': {
        const value = this.#pipeline(node.pipeline, dot);
        if (node.pipeline.variables.length === 0)
          this.#texts.push(kindOf(value) === 'none' ? '<no value>' : valueText(value));
        return undefined;
      }
      case 'template':
        this.template(node.name, node.pipeline && this.#pipeline(node.pipeline, dot), node);
        return undefined;
      case 'break':
      case 'continue':
        return node.kind;
      case 'range':
        return this.#scoped(() => this.#range(node, dot));
      case 'if':
      case 'with':
        return this.#scoped(() => {
          const value = this.#pipeline(node.pipeline, dot);
          return isTrue(value)
            ? this.#nodes(node.body, node.kind === 'with' ? value : dot)
            : this.#nodes(node.otherwise, dot);
        });
    }
  }

  /** Variables that are declared meanwhile end with it. */
  #scoped<T>(act: () => T): T {
    const { length } = this.#variables;
    const result = act();
    this.#variables.length = length;
    return result;
  }

  #range({ pipeline, body, otherwise }: Branch, dot: unknown): Jump {
    const value = this.#value(pipeline, dot);
    let isEmpty = true;
    for (const [key, item] of this.#entries(value, pipeline)) {
      isEmpty = false;
      const jump = this.#scoped(() => {
        this.#assign(pipeline, pipeline.variables.length > 1 ? [key, item] : [item]);
        return this.#nodes(body, item);
      });
      if (jump === 'break') break;
    }
    return isEmpty ? this.#nodes(otherwise, dot) : undefined;
  }

  #entries(value: unknown, place: Place): Iterable<readonly [unknown, unknown]> {
    if (Array.isArray(value)) return value.map((item, i) => [BigInt(i), item] as const);
    const kind = kindOf(value);
    if (kind === 'map') return sortedEntries(value);
    if (kind === 'none') return [];
    if (kind === 'int') return countedTo(integerOf(value) ?? 0n);
    throw this.#error(place, `range can't iterate over ${valueText(value)}`);
  }

  #pipeline(pipeline: Pipeline, dot: unknown): unknown {
    const value = this.#value(pipeline, dot);
    this.#assign(pipeline, [value]);
    return value;
  }

  #assign({ variables, isAssignment }: Pipeline, values: readonly unknown[]): void {
    variables.forEach((name, i) => {
      const known = isAssignment ? this.#variable(name) : undefined;
      if (known === undefined) this.#variables.push({ name, value: values[i] });
      else known.value = values[i];
    });
  }

  #variable(name: string): Variable | undefined {
    return this.#variables.findLast((one) => one.name === name);
  }

  #value({ commands }: Pipeline, dot: unknown): unknown {
    let value: unknown;
    for (const [i, command] of commands.entries())
      value = this.#command(command, dot, i === 0 ? [] : [value]);
    return value;
  }

  /** `piped`: the value of the stage before, as the last argument. */
  #command([first, ...rest]: readonly Operand[], dot: unknown, piped: readonly unknown[]): unknown {
    if (first === undefined) return undefined;
    if (first.kind === 'function') {
      const source = [first, ...rest].map((one) => one.source).join(' ');
      return this.#call(first.name, rest, { dot, piped, place: { at: first.at, source } });
    }
    if (rest.length + piped.length > 0)
      throw this.#error(
        first,
        first.kind === 'path'
          ? `${first.fields.at(-1)} is not a method but has arguments`
          : `can't give argument to non-function ${first.source}`,
      );
    if (first.kind === 'nil') throw this.#error(first, 'nil is not a command');
    return this.#operand(first, dot);
  }

  #operand(operand: Operand, dot: unknown): unknown {
    switch (operand.kind) {
      case 'dot':
        return dot;
      case 'nil':
        return undefined;
      case 'constant':
        return operand.value;
      case 'variable':
        return this.#variable(operand.name)?.value;
      case 'function':
        return this.#call(operand.name, [], { dot, piped: [], place: operand });
      case 'pipeline':
        return this.#value(operand.pipeline, dot);
      case 'path':
        return this.#path(operand, dot);
    }
  }

  #path(operand: Extract<Operand, { kind: 'path' }>, dot: unknown): unknown {
    let value = this.#operand(operand.from, dot);
    for (const field of operand.fields) {
      if (value === null) throw this.#error(operand, `nil pointer evaluating interface {}.${field}`);
      if (value !== undefined && kindOf(value) !== 'map')
        throw this.#error(
          operand,
          `can't evaluate field ${field} in type ${value === dot ? typeOf(value) : 'interface {}'}`,
        );
      const hasField = isJsonObject(value) && Object.hasOwn(value, field);
      if (!hasField && this.#failsOnMissing)
        throw this.#error(
          operand,
          value === undefined
            ? `nil data; no entry for key ${JSON.stringify(field)}`
            : `map has no entry for key ${JSON.stringify(field)}`,
        );
      value = hasField && isJsonObject(value) ? value[field] : undefined;
    }
    return value;
  }

  #call(
    name: string,
    operands: readonly Operand[],
    {
      dot,
      piped,
      place,
    }: { readonly dot: unknown; readonly piped: readonly unknown[]; readonly place: Place },
  ): unknown {
    const found = functions.get(name);
    const count = operands.length + piped.length;
    if (found === undefined || count < found.least || count > found.most)
      throw this.#error(place, `wrong number of args for ${name}: want ${wanted(found)} got ${count}`);
    if (name === 'and' || name === 'or') return this.#logic(name === 'or', operands, { dot, piped });
    const args = [...operands.map((one) => this.#operand(one, dot)), ...piped];
    if (name === 'not') return !isTrue(args[0]);
    try {
      return found.call(args);
    } catch (error) {
      throw this.#error(place, `error calling ${name}: ${messageOf(error)}`);
    }
  }

  /** The first value that decides, or the last one. The operands after it are not evaluated. */
  #logic(
    ends: boolean,
    operands: readonly Operand[],
    { dot, piped }: { readonly dot: unknown; readonly piped: readonly unknown[] },
  ): unknown {
    let value: unknown;
    for (const operand of operands) {
      value = this.#operand(operand, dot);
      if (isTrue(value) === ends) return value;
    }
    return piped.length === 0 ? value : piped[0];
  }

  #error(place: Place | undefined, problem: string): TemplateError {
    const at = place === undefined ? '' : `:${place.at}`;
    const source = place === undefined ? '' : ` at <${place.source}>`;
    return new TemplateError(
      `template: output${at}: executing ${JSON.stringify(this.#name)}${source}: ${problem}`,
    );
  }
}

function* countedTo(end: bigint): Generator<readonly [bigint, bigint]> {
  for (let i = 0n; i < end; i++) yield [i, i];
}

const wanted = (found: { readonly least: number; readonly most: number } | undefined): string => {
  if (found === undefined) return '0';
  return found.least === found.most ? String(found.least) : `at least ${found.least}`;
};
