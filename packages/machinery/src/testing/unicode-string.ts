import fc from 'fast-check';

const SURROGATES = 0x800;
const codePoint = fc
  .integer({ min: 0, max: 0x10_ff_ff - SURROGATES })
  .map((at) => (at < 0xd8_00 ? at : at + SURROGATES));

/**
 * Well-formed strings of any code points. `fc.string({ unit: 'binary' })` makes a table of all code points first, which takes more than
 * a second of CPU time in each process.
 */
export function unicodeString(constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.array(codePoint, constraints).map((points) => String.fromCodePoint(...points)),
    },
    // With names that the language treats in a special way.
    { weight: 1, arbitrary: fc.string(constraints) },
  );
}
