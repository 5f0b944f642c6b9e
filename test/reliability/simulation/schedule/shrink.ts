import type { Event, Schedule } from './schedule.ts';

/** Runs of a schedule that a search for a smaller one may cost. */
const MAX_RUNS = 200;

/**
 * The fewest programs and events with which a schedule still fails: no single event can be left out. `fails` runs a
 * schedule; the given one fails.
 */
export async function shrink(
  schedule: Schedule,
  fails: (smaller: Schedule) => Promise<boolean>,
): Promise<Schedule> {
  let runs = 0;
  let least = schedule;
  const holds = async (smaller: Schedule): Promise<boolean> => {
    if (runs >= MAX_RUNS) return false;
    runs++;
    if (!(await fails(smaller))) return false;
    least = smaller;
    return true;
  };
  await shrinkEvents(
    () => least.events,
    (events) => holds({ ...least, events }),
  );
  for (const name of [
    'managers',
    'copiers',
    'observers',
    'registers',
    'definers',
    'submitters',
    'crowds',
    'extenders',
    'movers',
    'restorers',
  ] as const) {
    for (let count = 0; count < least.cast[name]; count++)
      if (await holds({ ...least, cast: { ...least.cast, [name]: count } })) break;
  }
  await shrinkEvents(
    () => least.events,
    (events) => holds({ ...least, events }),
  );
  return least;
}

/** Leaves out runs of events, of half of them at first, then of ever fewer down to one. */
async function shrinkEvents(
  current: () => readonly Event[],
  holds: (events: readonly Event[]) => Promise<boolean>,
): Promise<void> {
  for (let size = Math.ceil(current().length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let start = 0; start < current().length; ) {
      const events = current();
      const isShorter = await holds([...events.slice(0, start), ...events.slice(start + size)]);
      if (!isShorter) start += size;
    }
  }
}
