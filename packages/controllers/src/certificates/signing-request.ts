import {
  builtinResources,
  type Client,
  type kinds,
  type ResourceClient,
  type TypedResource,
} from '@orch/client';
import { timeMs } from '@orch/machinery/time';
import type { ControllerOptions } from '../options.ts';

/** A CertificateSigningRequest (spec 2.6) of any version: v1 has the same fields, of which fewer are optional. */
export type SigningRequestObject = kinds.certificates.CertificateSigningRequestV1beta1;

/** The version that the release serves: v1 since 1.19, v1beta1 before. */
export function signingRequests(
  client: Client,
  { major, minor }: ControllerOptions['release'],
): ResourceClient<SigningRequestObject> {
  const { v1, v1beta1 } = builtinResources(client.names).certificates;
  const hasV1 = major > 1 || minor >= 19;
  const resource: TypedResource<SigningRequestObject> = hasV1
    ? v1.certificatesigningrequests
    : v1beta1.certificatesigningrequests;
  return client.resource(resource);
}

/** The user who created a request, as the server recorded it. */
export interface Requester {
  readonly username: string;
  readonly uid: string;
  readonly groups: string[];
  readonly extra: Record<string, string[]>;
}

export interface Condition {
  readonly type: string;
  /** Conditions of older releases have no status; they count as `True`. */
  readonly isTrue: boolean;
  /** Epoch milliseconds; undefined without a readable time. */
  readonly updatedAt: number | undefined;
}

/** The fields of a request that decisions depend on. */
export interface SigningRequest {
  readonly object: SigningRequestObject;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Absent in releases without signers. */
  readonly signerName: string | undefined;
  /** Base64 of PEM. */
  readonly request: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
  readonly requester: Requester;
  readonly conditions: readonly Condition[];
  /** PEM; empty until the certificate is issued. */
  readonly certificate: string;
}

export function readSigningRequest(object: SigningRequestObject): SigningRequest {
  const { metadata, spec, status } = object;
  const { signerName = '' } = spec ?? {};
  return {
    object,
    name: metadata.name ?? '',
    createdAt: timeMs(metadata.creationTimestamp ?? '') ?? 0,
    signerName: signerName === '' ? undefined : signerName,
    request: spec?.request ?? '',
    usages: spec?.usages ?? [],
    expirationSeconds: spec?.expirationSeconds,
    requester: {
      username: spec?.username ?? '',
      uid: spec?.uid ?? '',
      groups: spec?.groups ?? [],
      extra: spec?.extra ?? {},
    },
    conditions: (status?.conditions ?? []).map((condition) => ({
      type: condition.type,
      isTrue: condition.status !== 'False' && condition.status !== 'Unknown',
      updatedAt: timeMs(condition.lastUpdateTime ?? ''),
    })),
    certificate: Buffer.from(status?.certificate ?? '', 'base64').toString('latin1'),
  };
}

/** Reports whether one of these conditions is true: `Approved`, `Denied`, `Failed`. */
export const hasCondition = (request: SigningRequest, ...types: readonly string[]): boolean =>
  request.conditions.some(({ type, isTrue }) => isTrue && types.includes(type));

/** A condition to be added with the status `True`. */
export interface NewCondition {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** The object with this condition added. */
export function withCondition({ object }: SigningRequest, condition: NewCondition): SigningRequestObject {
  const conditions = [...(object.status?.conditions ?? []), { ...condition, status: 'True' }];
  return { ...object, status: { ...object.status, conditions } };
}

/** The object with this certificate (PEM). */
export const withCertificate = ({ object }: SigningRequest, pem: string): SigningRequestObject => ({
  ...object,
  status: { ...object.status, certificate: Buffer.from(pem).toString('base64') },
});
