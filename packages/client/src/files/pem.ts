/** PEM: the certificate with its intermediates, and its key. */
export interface CertificateWithKey {
  readonly cert: string;
  readonly key: string;
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The text of a `…-data` field; undefined when it is not base64. */
export function decodeBase64(data: string): string | undefined {
  const text = data.replace(/\s+/g, '');
  return base64.test(text) ? Buffer.from(text, 'base64').toString('utf8') : undefined;
}

/** The problem of a PEM bundle of authorities; undefined for a valid one. */
export function problemOfAuthorities(pem: string): string | undefined {
  const blocks = pem.match(certificateBlock) ?? [];
  if (blocks.length === 0) return 'holds no certificate in PEM';
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  for (const [i, block] of blocks.entries()) {
    try {
      new X509Certificate(block);
    } catch {
      return `certificate ${i + 1} of ${blocks.length} cannot be read`;
    }
  }
  return undefined;
}

/** The problem of a certificate or its key, and in which of them; undefined for a valid pair. */
export function problemOfPair({
  cert,
  key,
}: CertificateWithKey): { readonly of: 'cert' | 'key'; readonly problem: string } | undefined {
  const certificates = problemOfAuthorities(cert);
  if (certificates !== undefined) return { of: 'cert', problem: certificates };
  const { createPrivateKey, X509Certificate } = process.getBuiltinModule('node:crypto');
  let isPair: boolean;
  try {
    isPair = new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return { of: 'key', problem: 'holds no private key in PEM that can be read' };
  }
  return isPair ? undefined : { of: 'key', problem: 'does not belong to the certificate' };
}
