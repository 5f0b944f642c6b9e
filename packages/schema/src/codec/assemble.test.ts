import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DecodeContext } from '../walk/decode-context.ts';
import { compileAssemble, interpretAssemble, type Slot } from './assemble.ts';

const adversarial = fc.constantFrom(
  '"];throw 1;//',
  '\\',
  '`$(1)`',
  '\u2028',
  '\n',
  "'",
  'a b',
  '1',
  'constructor',
);
const names = fc.uniqueArray(
  fc.oneof(fc.string({ minLength: 1 }), adversarial).filter((name) => name !== '__proto__'),
  {
    maxLength: 12,
  },
);

describe('compiled assembly of structs', () => {
  it('a compiled assembler and the interpreter build equal objects for all field names', () => {
    const filled = fc.array(fc.option(fc.nat(), { nil: undefined }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(
        names,
        filled,
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        (list, slots, always) => {
          const fields = list.map(
            (name, i): Slot => ({ name, absent: always[i] ? () => `absent ${i}` : undefined }),
          );
          const context = new DecodeContext();
          const made = compileAssemble(fields)(slots, context);
          assert.deepEqual(Object.entries(made), Object.entries(interpretAssemble(fields)(slots, context)));
          assert.deepEqual(
            new Set(Object.keys(made)),
            new Set(list.filter((_, i) => slots[i] !== undefined || always[i])),
          );
        },
      ),
    );
  });
});
