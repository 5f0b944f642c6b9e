import { readCertificates } from '@orch/pki/x509';
import type { Content } from '../options.ts';

/**
 * The authorities to publish, as they are at the time of asking. Rejects when there is no certificate, such as while a
 * file is written.
 */
export function rootCaIn(content: Content): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    const text = await content.read();
    if (text === known) return text;
    const found = readCertificates(text);
    if (typeof found === 'string') throw new Error(`${content.origin}: ${found}`);
    known = text;
    return text;
  };
}
