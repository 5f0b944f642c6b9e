/** The part of a thread in the seats of a process: the parts of all threads add up to the seats, but each has one at least. */
export function seatsOfThread(
  seats: number,
  { count, number }: { readonly count: number; readonly number: number },
): number {
  const rest = seats % count;
  return Math.max(Math.floor(seats / count) + (number <= rest ? 1 : 0), 1);
}
