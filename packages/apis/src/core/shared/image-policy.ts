export type PullPolicy = 'Always' | 'IfNotPresent';

const MAX_NAME_LENGTH = 255;
/** A string in the form of a digest does not name an image. */
const digestForm = /^[0-9a-f]{64}$/;
/** The prefix of an image name without a registry and a user. */
const LIBRARY = 'library/';

const host = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]|\.(?=[A-Za-z0-9]))*|\[[0-9A-Fa-f:]+\])(?::\d+)?$/;
const repository = /^[a-z0-9]+(?:(?:[/.]|__?|-+)[a-z0-9]+)*$/;
const tagAndDigest = /^([^@]*?)(?::(\w[\w.-]{0,127}))?(@[A-Za-z][\w.+-]{0,63}:[0-9A-Fa-f]{32,128})?$/;

/** Reports whether the name has the form of an image: lower case after the host of its registry, if it names one. */
function isImageName(name: string): boolean {
  const slash = name.indexOf('/');
  if (name.length + (slash < 0 ? LIBRARY.length : 0) > MAX_NAME_LENGTH || digestForm.test(name)) return false;
  const first = name.slice(0, Math.max(0, slash));
  const hasHost = first === 'localhost' || /[.:A-Z]/.test(first);
  return hasHost ? host.test(first) && repository.test(name.slice(slash + 1)) : repository.test(name);
}

/**
 * Images with a mutable name are always pulled: those tagged `latest`, and those with neither tag nor digest. What is not
 * the name of an image has no tag.
 */
export function policyOfImage(image: string): PullPolicy {
  if (image === '') return 'IfNotPresent';
  const text = image.slice(0, 2 * MAX_NAME_LENGTH + 1);
  const [, name = '', tag, digest] = /[:@]/.test(text) ? (tagAndDigest.exec(text) ?? []) : [text, text];
  if (!isImageName(name)) return 'IfNotPresent';
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent';
}
