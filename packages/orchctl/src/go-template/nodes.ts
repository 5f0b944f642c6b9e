/** The place of a node: `LINE:COLUMN`, and its source text. */
export interface Place {
  readonly at: string;
  readonly source: string;
}

/** One word of a command. */
export type Operand = Place &
  (
    | { readonly kind: 'dot' | 'nil' }
    | { readonly kind: 'constant'; readonly value: unknown }
    | { readonly kind: 'variable'; readonly name: string }
    | { readonly kind: 'function'; readonly name: string }
    | { readonly kind: 'pipeline'; readonly pipeline: Pipeline }
    /** Fields of another operand: `.a.b` is a path from the dot. */
    | { readonly kind: 'path'; readonly from: Operand; readonly fields: readonly string[] }
  );

export interface Pipeline extends Place {
  /** Variables that get the value: one, or two of a range. */
  readonly variables: readonly string[];
  /** Whether the variables exist: `=` instead of `:=`. */
  readonly isAssignment: boolean;
  readonly commands: readonly (readonly Operand[])[];
}

export interface Branch extends Place {
  readonly kind: 'if' | 'with' | 'range';
  readonly pipeline: Pipeline;
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[];
}

/** A part of a template. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'print'; readonly pipeline: Pipeline } & Place)
  | ({ readonly kind: 'template'; readonly name: string; readonly pipeline: Pipeline | undefined } & Place)
  | { readonly kind: 'break' | 'continue' }
  | Branch;

/** A template with the templates that it defines. */
export interface GoTemplate {
  readonly main: readonly Node[];
  readonly defined: ReadonlyMap<string, readonly Node[]>;
}

/** A template that cannot be read, or that does not fit its data. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
