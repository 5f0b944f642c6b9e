import { formatIp } from '@orch/machinery/net';
import { type DistinguishedName, parseCertificateRequest } from '@orch/pki/x509';

/** Titles with their values. */
type Lists = readonly (readonly [string, readonly string[]])[];

/** The content of a certificate request. */
export interface RequestContent {
  readonly subject: { readonly commonName: string; readonly serialNumber: string; readonly lists: Lists };
  readonly names: Lists;
}

/** Object identifiers of attributes of names, DER: all begin with 2.5.4. */
const attributes = {
  serialNumber: '0603550405',
  Organization: '060355040a',
  'Organizational Unit': '060355040b',
  Country: '0603550406',
  Locality: '0603550407',
  Province: '0603550408',
  StreetAddress: '0603550409',
  PostalCode: '0603550411',
} as const;

/** Reads `spec.request` of a certificate signing request. Throws a `DerError`. */
export function readRequest(base64: string): RequestContent {
  const request = parseCertificateRequest(base64);
  const { serialNumber, ...others } = attributes;
  const valuesOf = (type: string): readonly string[] => valuesIn(request.subject, type);
  return {
    subject: {
      commonName: request.commonName,
      serialNumber: valuesOf(serialNumber).at(-1) ?? '',
      lists: Object.entries(others).map(([title, type]) => [title, valuesOf(type)]),
    },
    names: [
      ['DNS Names', request.dnsNames],
      ['Email Addresses', request.emailAddresses],
      ['URIs', request.uris],
      ['IP Addresses', request.ipAddresses.map(addressText)],
    ],
  };
}

const valuesIn = (name: DistinguishedName, type: string): readonly string[] =>
  name
    .flat()
    .filter((attribute) => attribute.type.toString('hex') === type)
    .map(({ text }) => text);

const addressText = (bytes: Buffer): string =>
  formatIp({ family: bytes.length === 4 ? 'IPv4' : 'IPv6', number: BigInt(`0x${bytes.toString('hex')}`) });
