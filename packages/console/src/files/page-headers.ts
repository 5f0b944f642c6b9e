/** Header fields of all answers to the page: nothing is kept, framed or passed on to other sites. */
export const pageFields: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The policy of the files: scripts, styles and requests of the page itself only. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** The policy of data: opened as a page, they are inert. */
export const dataPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'";
