export type PullPolicy = 'Always' | 'IfNotPresent';

/**
 * Images with a mutable name are always pulled: those tagged `latest`, and those with neither tag nor digest. The tag
 * follows the last `:`, unless a `/` comes after it: then it is the port of a registry.
 */
export function policyOfImage(image: string): PullPolicy {
  const [reference = '', digest] = image.split('@', 2);
  const colon = reference.lastIndexOf(':');
  const tag = colon > reference.lastIndexOf('/') ? reference.slice(colon + 1) : undefined;
  if (tag === undefined) return digest === undefined ? 'Always' : 'IfNotPresent';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}
