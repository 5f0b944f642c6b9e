import type { ConfigValue } from '@orch/machinery/yaml';

/** A name in the prefix of stored values. */
export function nameOf(value: ConfigValue): string {
  const name = value.text();
  if (name === '') value.fail('a name is required');
  // The prefix of one name would be the beginning of that of another one.
  if (name.includes(':')) value.fail("must not contain ':'");
  return name;
}
