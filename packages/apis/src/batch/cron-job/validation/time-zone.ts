/** Names of the zones database: words joined by slashes. Offsets such as `+01:00` are not names. */
const pattern = /^[A-Za-z][A-Za-z0-9_+-]{0,63}(?:\/[A-Za-z0-9_+-]{1,64}){0,3}$/;

/** The problem of the name of a time zone; undefined when the zones database has it. */
export function timeZoneProblem(name: string): string | undefined {
  if (name.toLowerCase() === 'local') return 'must be an explicit time zone';
  return pattern.test(name) && isKnown(name) ? undefined : `unknown time zone ${name.slice(0, 64)}`;
}

function isKnown(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
