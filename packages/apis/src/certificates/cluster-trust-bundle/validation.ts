import type { ClusterTrustBundle } from '@orch/kinds/certificates';
import { type FieldError, fieldError } from '@orch/machinery';
import { dns1123subdomain } from '@orch/machinery/formats';
import { readCertificates } from '@orch/pki/x509';
import { checkSignerName } from '../shared/signer-name.ts';

/** `domain:path:name` for bundles of a signer, a plain name for others. */
function checkName(name: string, signer: string): readonly FieldError[] {
  const prefix = signer === '' ? '' : `${signer.replace('/', ':')}:`;
  if (!name.startsWith(prefix)) {
    const why = `ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`;
    return [fieldError.invalid('metadata.name', name, why)];
  }
  const wrong = dns1123subdomain(name.slice(prefix.length));
  return wrong === undefined ? [] : [fieldError.invalid('metadata.name', name, wrong)];
}

function checkBundle(pem: string): readonly FieldError[] {
  const path = 'spec.trustBundle';
  const found = readCertificates(pem);
  if (typeof found === 'string') return [fieldError.invalid(path, '<value omitted>', found)];
  const distinct = new Set(found.map((certificate) => certificate.toString('base64')));
  return distinct.size === found.length
    ? []
    : [fieldError.invalid(path, '<value omitted>', 'must not hold a certificate twice')];
}

/** Checks a bundle: its name matches its signer, and it contains only certificates, each once. */
export function validateTrustBundle(
  next: ClusterTrustBundle,
  old: ClusterTrustBundle | undefined,
): readonly FieldError[] {
  const { signerName, trustBundle } = next.spec ?? {};
  const signer = signerName ?? '';
  const { name = '' } = next.metadata;
  return [
    ...(old === undefined && name !== '' ? checkName(name, signer) : []),
    ...(signer === '' ? [] : checkSignerName('spec.signerName', signer)),
    ...(old !== undefined && old.spec?.trustBundle === trustBundle ? [] : checkBundle(trustBundle ?? '')),
  ];
}
