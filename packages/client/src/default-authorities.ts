/** The module of the runtime, which has no function for the stores of authorities in Node 20. */
type Tls = Pick<typeof import('node:tls'), 'rootCertificates'> &
  Partial<Pick<typeof import('node:tls'), 'getCACertificates'>>;

const tls = (): Tls => process.getBuiltinModule('node:tls');

/**
 * The authorities that a connection trusts when its settings name none; undefined for those of the runtime. A program that empties
 * the default store, because reading it takes as long as a short command, gets the ones that come with
 * the runtime, and those of NODE_EXTRA_CA_CERTS.
 */
export function defaultAuthorities(): readonly string[] | undefined {
  const { getCACertificates } = tls();
  if (getCACertificates === undefined || getCACertificates('default').length > 0) return undefined;
  const all = [...getCACertificates('bundled'), ...getCACertificates('extra')];
  return all.length === 0 ? undefined : all;
}

/**
 * The authorities of `defaultAuthorities` as a list, to which others can be added. Node 20 cannot tell those of NODE_EXTRA_CA_CERTS,
 * which are omitted there.
 */
export function listedAuthorities(): readonly string[] {
  const { getCACertificates, rootCertificates } = tls();
  return defaultAuthorities() ?? getCACertificates?.('default') ?? rootCertificates;
}
