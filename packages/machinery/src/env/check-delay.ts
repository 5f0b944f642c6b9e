/** Refuses a delay of NaN, which a timer would take for 1 ms. Throws a RangeError. */
export function checkDelay(delayMs: number): void {
  if (Number.isNaN(delayMs)) throw new RangeError('the delay of a timer must be a number, not NaN');
}
