import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Secret } from '@orch/kinds/core';
import type { WarningContext } from '../../content-warning.ts';

/** A whole block: some headers, and text in base64. Its search takes a bounded time for each beginning of a block. */
const blockForm =
  /-----BEGIN ([A-Z0-9 ]{1,64})-----\s(?:[A-Za-z0-9-]{1,64}: [^\n]{0,256}\n){0,8}[A-Za-z0-9+/=\s]*-----END \1-----/g;

/** Types of the PEM blocks in a text. */
const blockTypes = (text: string): readonly string[] =>
  Array.from(text.matchAll(blockForm), ([, type = '']) => type);

/** The message about a text without the wanted block. */
function missing(input: 'certificate' | 'key', types: readonly string[]): string {
  if (types.length === 0) return `tls: failed to find any PEM data in ${input} input`;
  if (input === 'certificate' && types.length === 1 && types[0]?.endsWith('PRIVATE KEY') === true)
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  const wanted =
    input === 'certificate' ? '"CERTIFICATE" PEM block' : 'PEM block with type ending in "PRIVATE KEY"';
  return `tls: failed to find ${wanted} in ${input} input after skipping PEM blocks of the following types: [${types.slice(0, MAX_TYPES).join(' ')}]`;
}

const MAX_TYPES = 32;

function read<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}

/** What is wrong with a certificate and its key; undefined when they belong together. */
function pairProblem(certificate: string, key: string): string | undefined {
  const types = blockTypes(certificate);
  if (!types.includes('CERTIFICATE')) return missing('certificate', types);
  const keyTypes = blockTypes(key);
  if (!keyTypes.some((type) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY')))
    return keyTypes.length === 1 && keyTypes[0] === 'CERTIFICATE'
      ? 'tls: found a certificate rather than a key in the PEM for the private key'
      : missing('key', keyTypes);
  const parsed = read(() => new X509Certificate(certificate));
  if (parsed === undefined) return 'x509: malformed certificate';
  const privateKey: KeyObject | undefined = read(() => createPrivateKey(key));
  if (privateKey === undefined) return 'tls: failed to parse private key';
  if (privateKey.asymmetricKeyType !== read(() => parsed.publicKey.asymmetricKeyType))
    return 'tls: private key type does not match public key type';
  return read(() => parsed.checkPrivateKey(privateKey)) === true
    ? undefined
    : 'tls: private key does not match public key';
}

/** Warns of a certificate of a secret that does not fit its key. The text has no value of the secret. */
export function secretWarnings(
  { type, data = {} }: Secret,
  _old: Secret | undefined,
  { names, since }: WarningContext,
): readonly string[] {
  if (type !== names.secretTypes.tls || !since('1.27')) return [];
  const text = (key: string): string => Buffer.from(data[key] ?? '', 'base64').toString('latin1');
  const problem = pairProblem(text('tls.crt'), text('tls.key'));
  return problem === undefined ? [] : [problem];
}
