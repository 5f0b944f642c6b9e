import { f, items, struct } from '../declare.ts';
import type { StructSchema } from '../schema.ts';

const Part = struct('test.v1.Part', 'Part of another message.', {
  name: f.string(1, { presence: 'always' }),
  size: f.int32(2, { presence: 'pointer' }),
});
const Inlined = struct('test.v1.Inlined', 'Dissolves in JSON.', { words: f.list(1, items.string) });

/** A message with every kind of field that repeats. It refers to itself. */
export const Tree: StructSchema = struct('test.v1.Tree', 'Fields that repeat.', {
  text: f.string(1, { presence: 'always' }),
  inlined: f.inline(2, Inlined),
  numbers: f.list(3, items.int64),
  parts: f.list(4, Part),
  labels: f.map(5, items.string),
  byName: f.map(6, () => Tree),
  tree: f.struct(7, () => Tree, { presence: 'pointer' }),
  trees: f.list(8, () => Tree),
});
