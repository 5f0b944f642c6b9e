/** Suites of TLS 1.3, in the order of preference: sufficient strength, and the cheapest first. */
const always = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'] as const;

/**
 * The suites of TLS 1.2 that can be chosen, by their names in RFCs, with their names in OpenSSL: those that are
 * authenticated and forward-secret.
 */
export const cipherSuites: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
};

/** Other names of the same suites. */
const shortNames: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
};

/**
 * The suites in the syntax of OpenSSL, in the order of preference of the server; undefined for all of them. A string is
 * the error of the list.
 */
export function cipherList(given: readonly string[]): { readonly ciphers: string } | string | undefined {
  if (given.length === 0) return undefined;
  const wanted = new Set<string>();
  for (const name of given) {
    const suite = cipherSuites[shortNames[name] ?? name];
    if (suite !== undefined) wanted.add(suite);
    else if (!always.some((one) => one === name))
      return `${JSON.stringify(name)} is not a supported cipher suite (authenticated and forward-secret)`;
  }
  const chosen = Object.values(cipherSuites).filter((suite) => wanted.has(suite));
  return { ciphers: [...always, ...chosen].join(':') };
}
