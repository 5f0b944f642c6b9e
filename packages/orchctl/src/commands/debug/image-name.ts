const host = String.raw`(?:\[[0-9a-fA-F:]+\]|[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*)(?::[0-9]+)?`;
const part = `[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*`;
const digest = `[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}`;
const pattern = new RegExp(
  String.raw`^(?:${host}/)?${part}(?:/${part})*(?::\w[\w.-]{0,127})?(?:@${digest})?$`,
);

/** Longer names are not images; the pattern is only tried on short ones. */
const MAX_LENGTH = 1024;

/** Reports whether a string can be the name of an image: `registry.example.com:5000/tools/debug:1`. */
export const isImageName = (text: string): boolean => text.length <= MAX_LENGTH && pattern.test(text);
