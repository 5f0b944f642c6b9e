/**
 * The authorities that a connection trusts when its settings name none; undefined for those of the runtime. A program that empties
 * the default store, because reading it takes as long as a short command, gets the ones that come with
 * the runtime, and those of NODE_EXTRA_CA_CERTS.
 */
export function defaultAuthorities(): readonly string[] | undefined {
  const { getCACertificates } = process.getBuiltinModule('node:tls');
  if (getCACertificates('default').length > 0) return undefined;
  const all = [...getCACertificates('bundled'), ...getCACertificates('extra')];
  return all.length === 0 ? undefined : all;
}
