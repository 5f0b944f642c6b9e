import type { UserInfo } from '@orch/auth';
import { BoundedCache } from '@orch/machinery/bounded-cache';
import type { RequestInfo } from '@orch/request';

/** Strings up to this length are copied by the engine when they are sliced from another string. */
const COPIED_LENGTH = 12;
/** Paths of objects are shorter; the parts of longer ones are cut to the length of a part. */
const MAX_PATH = 512;
const MAX_PART = 64;
/** Maximum number of characters of the groups and extra attributes of a user, and of them both. */
const MAX_CREDENTIALS = 1024;
/** Number of common strings that are kept besides the records. */
const MAX_COMMON = 1024;

/** The beginning of a string, copied: a slice keeps the whole text in memory, and paths are slices of the head of a request. */
export function boundedText(text: string, length: number): string {
  const part = text.length > length ? text.slice(0, length) : text;
  return part.length <= COPIED_LENGTH ? part : Buffer.from(part).toString();
}

/** A copy of a short text, as a part of `copy` if it contains the text: cutting costs less than copying. */
const partOf = (copy: string, text: string, length: number): string => {
  const at = text.length > length ? -1 : copy.lastIndexOf(text);
  return at < 0 ? boundedText(text, length) : copy.slice(at, at + text.length);
};

/** Copies of strings that many requests have in common, such as user agents and namespaces, which are copied once. */
export class CommonTexts {
  readonly #copies = new BoundedCache<string, string>({ maxEntries: MAX_COMMON });

  of(text: string, length: number): string {
    if (text.length <= COPIED_LENGTH) return text;
    const part = text.length > length ? text.slice(0, length) : text;
    const known = this.#copies.get(part);
    if (known !== undefined) return known;
    const copy = boundedText(part, length);
    this.#copies.set(copy, copy);
    return copy;
  }
}

/** Where the strings of a path are copied from and to. */
export interface CopiedPath {
  readonly rawPath: string;
  /** The path, copied. */
  readonly copy: string;
  readonly common: CommonTexts;
}

/** The content of a path, copied. */
export function boundedInfo(info: RequestInfo, { rawPath, copy, common }: CopiedPath): RequestInfo {
  const length = rawPath.length > MAX_PATH ? MAX_PART : MAX_PATH;
  const text = (part: string): string => common.of(part, length);
  if (!info.isResource) return { isResource: false, verb: info.verb, path: text(info.path) };
  const { verb, isInNamespace, isHistory } = info;
  const bounded: RequestInfo = {
    isResource: true,
    verb,
    group: text(info.group),
    version: text(info.version),
    resource: text(info.resource),
    subresource: text(info.subresource),
    namespace: text(info.namespace),
    isInNamespace,
    name: partOf(copy, info.name, length),
    rest: '',
  };
  return isHistory === true ? { ...bounded, isHistory } : bounded;
}

/** The credentials of a user that authorizers read besides the name, copied; undefined when they are too long. */
export function boundedCredentials({
  groups,
  extra,
}: UserInfo): Pick<UserInfo, 'groups' | 'extra'> | undefined {
  const attributes = Object.entries(extra);
  let length = 0;
  const count = (text: string): void => {
    // A string also takes memory of its own besides its characters.
    length += text.length + COPIED_LENGTH;
  };
  groups.forEach(count);
  for (const [name, values] of attributes) for (const text of [name, ...values]) count(text);
  if (length > MAX_CREDENTIALS) return undefined;
  const copy = (text: string): string => boundedText(text, MAX_CREDENTIALS);
  return {
    groups: groups.map(copy),
    extra: Object.fromEntries(attributes.map(([name, values]) => [copy(name), values.map(copy)])),
  };
}
