import { generateKeyPairSync, sign } from 'node:crypto';
import { bits, explicit, integer, octets, oid, sequence, set } from '../der-writer.ts';
import { oids } from '../oids.ts';
import { simpleName } from '../subject.ts';

/** Content of a request, including content that openssl refuses to write. */
export interface RequestParts {
  /** A distinguished name, DER. */
  readonly subject?: Buffer;
  /** Value of the extension for alternative names, DER. */
  readonly alternativeNames?: Buffer;
}

/** A signed PKCS#10 request, DER, for a new ECDSA P-256 key. */
export function makeRequest({ subject = simpleName('jane'), alternativeNames }: RequestParts): Buffer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const extensions =
    alternativeNames === undefined
      ? []
      : [
          sequence(
            oid(oids.extensionRequest),
            set(sequence(sequence(oid(oids.subjectAlternativeName), octets(alternativeNames)))),
          ),
        ];
  const info = sequence(integer(Buffer.from([0])), subject, spki, explicit(0, Buffer.concat(extensions)));
  return sequence(info, sequence(oid(oids.ecdsaWithSha256)), bits(sign('sha256', info, privateKey)));
}
