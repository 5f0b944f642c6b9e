import type { Names } from '@orch/machinery';
import { type CertificateRequest, commonNamesOf, requestSignatureProblem } from '@orch/pki/x509';
import type { SignerKey } from '../options.ts';

/** The input of a signer: a PKCS#10 request and the requested key usages. */
export interface SignerInput {
  readonly request: CertificateRequest;
  readonly usages: readonly string[];
}

/** The violation of a rule by a request; undefined when it complies. */
type Rule = (input: SignerInput, names: Names) => string | undefined;

const first = (rules: readonly Rule[], input: SignerInput, names: Names): string | undefined => {
  for (const rule of rules) {
    const problem = rule(input, names);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const signing = 'digital signature';
const encipherment = 'key encipherment';

const exactly =
  (...expected: readonly string[]): Rule =>
  ({ usages }) =>
    usages.length === expected.length && expected.every((usage) => usages.includes(usage))
      ? undefined
      : `the usages must be exactly ${expected.join(', ')}`;

const includes =
  (needed: string): Rule =>
  ({ usages }) =>
    usages.includes(needed) ? undefined : `the usages must include ${needed}`;

const nothingBut =
  (...allowed: readonly string[]): Rule =>
  ({ usages }) => {
    const other = usages.find((usage) => !allowed.includes(usage));
    return other === undefined ? undefined : `this signer does not allow the usage ${JSON.stringify(other)}`;
  };

const ofNode: Rule = ({ request: { commonName, organizations } }, { userGroups, users }) => {
  if (organizations.length !== 1 || organizations[0] !== userGroups.nodes)
    return `the organization must be exactly ${userGroups.nodes}`;
  return commonName.startsWith(users.nodePrefix)
    ? undefined
    : `the common name must begin with ${users.nodePrefix}`;
};

const noAlternativeNames: Rule = ({ request: r }) =>
  r.dnsNames.length + r.emailAddresses.length + r.ipAddresses.length + r.uris.length + r.others > 0
    ? 'this signer allows no alternative names'
    : undefined;

const hostsOnly: Rule = ({ request: r }) => {
  if (r.emailAddresses.length > 0) return 'this signer allows no e-mail addresses as alternative names';
  if (r.uris.length > 0) return 'this signer allows no URIs as alternative names';
  return r.dnsNames.length + r.ipAddresses.length === 0
    ? 'there must be a DNS name or an IP address among the alternative names'
    : undefined;
};

/** With several common names a verifier might use another one than the signer validated. */
const oneCommonName: Rule = ({ request: { subject } }) =>
  commonNamesOf(subject).length > 1 ? 'the subject has several common names' : undefined;

const rules: Readonly<Record<SignerKey, readonly Rule[]>> = {
  apiserverClient: [oneCommonName, includes('client auth'), nothingBut(signing, encipherment, 'client auth')],
  apiserverClientNodeagent: [
    oneCommonName,
    ofNode,
    noAlternativeNames,
    exactly(encipherment, signing, 'client auth'),
  ],
  nodeagentServing: [oneCommonName, ofNode, hostsOnly, exactly(encipherment, signing, 'server auth')],
  legacyUnknown: [],
};

const MAX_ALTERNATIVE_NAMES = 1000;
const MAX_SUBJECT_BYTES = 16_384;

const isAscii = (text: string): boolean => /^[\x20-\x7e]+$/.test(text);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for.
const isPlain = (text: string): boolean => text.isWellFormed() && !/[\x00-\x1f\x7f]/.test(text);

/** Requirements for the content of every certificate. */
const wellFormed: Rule = ({ request: r }) => {
  const texts = [...r.dnsNames, ...r.emailAddresses, ...r.uris];
  if (texts.length + r.ipAddresses.length > MAX_ALTERNATIVE_NAMES)
    return `there are more than ${MAX_ALTERNATIVE_NAMES} alternative names`;
  if (!texts.every(isAscii)) return 'an alternative name is empty, or not ASCII';
  const attributes = r.subject.flat();
  if (attributes.reduce((size, { raw }) => size + raw.length, 0) > MAX_SUBJECT_BYTES)
    return `the subject is longer than ${MAX_SUBJECT_BYTES} bytes`;
  if (!attributes.every(({ isText }) => isText)) return 'the subject has an attribute that is not a string';
  return attributes.every(({ text }) => isPlain(text))
    ? undefined
    : 'the subject contains control characters or invalid ones';
};

const ownKey: Rule = ({ request }) => requestSignatureProblem(request);

/** The reason why a built-in signer rejects a request (spec 5.15); undefined when it signs it. */
export const signerProblem = (signer: SignerKey, input: SignerInput, names: Names): string | undefined =>
  first([...rules[signer], wellFormed, ownKey], input, names);

/** Reports whether a request is for the client certificate of a node, independent of the requester. */
export const isForNodeClient = (input: SignerInput, names: Names): boolean =>
  first(rules.apiserverClientNodeagent, input, names) === undefined;
