/** The polynomial of CRC-32, reflected: the highest bit is the coefficient of x^0. */
const POLYNOMIAL = 0xedb8_8320;
const ONE = 0x8000_0000;
const ONE_BYTE = 0x0080_0000;

/** The product of two polynomials modulo that of CRC-32. */
function product(a: number, b: number): number {
  let sum = 0;
  let shifted = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) sum ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
  }
  return sum >>> 0;
}

/** The factor of `crc32Concat` for `length` following bytes: x^(8·length). */
export function crc32Shift(length: number): number {
  let result = ONE;
  let square = ONE_BYTE;
  for (let rest = length; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = product(square, result);
    square = product(square, square);
  }
  return result;
}

/** The CRC-32 of two byte strings in a row, from those of the strings; `shift` is that of the length of the second one. */
export const crc32Concat = (first: number, second: number, shift: number): number =>
  (product(shift, first) ^ second) >>> 0;
