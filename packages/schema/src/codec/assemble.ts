import type { DecodeContext } from '../walk/decode-context.ts';

/** The properties of a field that matter for assembling a struct. */
export interface Slot {
  readonly name: string;
  /** Written when the slot is empty; undefined for fields that are then omitted. */
  readonly absent: ((context: DecodeContext) => unknown) | undefined;
}

/** Makes an object of the filled slots, in their order. */
export type Assemble = (slots: readonly unknown[], context: DecodeContext) => Record<string, unknown>;

type Absents = readonly Slot['absent'][];

/** The same as the generated code, for processes that forbid code from strings. */
export function interpretAssemble(fields: readonly Slot[]): Assemble {
  return (slots, context) => {
    const struct: Record<string, unknown> = {};
    for (let i = 0; i < fields.length; i++) {
      const { name, absent } = fields[i] as Slot;
      const value = slots[i];
      if (value !== undefined) struct[name] = value;
      else if (absent !== undefined) struct[name] = absent(context);
    }
    return struct;
  };
}

/** Source text of an assembler: one line per field. Names enter it only as JSON strings. */
function source(fields: readonly Slot[]): string {
  const lines = fields.map(({ name, absent }, i) => {
    const target = `struct[${JSON.stringify(name)}]`;
    const otherwise = absent === undefined ? '' : ` else ${target} = absent[${i}](context);`;
    return `if ((value = slots[${i}]) !== undefined) ${target} = value;${otherwise}`;
  });
  return `return (slots, context) => { const struct = {}; let value; ${lines.join('\n')} return struct; };`;
}

/**
 * Compiles the assembly of one struct. Generated code has a separate store for every field, which the engine makes
 * two to three times as fast as one loop over all structs (35 ns against 87 ns for six fields).
 */
export function compileAssemble(fields: readonly Slot[]): Assemble {
  try {
    const make = new Function('absent', source(fields)) as (absent: Absents) => Assemble;
    return make(fields.map(({ absent }) => absent));
  } catch (error) {
    if (error instanceof EvalError) return interpretAssemble(fields);
    throw error;
  }
}
