import {
  type ApiObject,
  asObject,
  asObjects,
  asStrings,
  asText,
  type JsonObject,
  timeMs,
} from '@orch/machinery';

/** Who made a request, as the server has written down. */
export interface Requester {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: JsonObject;
}

export interface Condition {
  readonly type: string;
  /** Older releases have conditions without one, which hold. */
  readonly holds: boolean;
  /** Epoch milliseconds; undefined where nobody has said. */
  readonly updatedAt: number | undefined;
}

/** A CertificateSigningRequest (spec 2.6) in any of its versions. */
export interface SigningRequest {
  readonly object: ApiObject;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Absent in releases that knew no signers. */
  readonly signerName: string | undefined;
  /** Base64 of PEM. */
  readonly request: string;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
  readonly requester: Requester;
  readonly conditions: readonly Condition[];
  /** PEM; empty until it was issued. */
  readonly certificate: string;
}

export function readSigningRequest(object: ApiObject): SigningRequest {
  const spec = asObject(object['spec']);
  const status = asObject(object['status']);
  const signerName = asText(spec['signerName']);
  const { expirationSeconds } = spec;
  return {
    object,
    name: object.metadata.name ?? '',
    createdAt: timeMs(object.metadata.creationTimestamp ?? '') ?? 0,
    signerName: signerName === '' ? undefined : signerName,
    request: asText(spec['request']),
    usages: asStrings(spec['usages']),
    expirationSeconds: typeof expirationSeconds === 'number' ? expirationSeconds : undefined,
    requester: {
      username: asText(spec['username']),
      uid: asText(spec['uid']),
      groups: asStrings(spec['groups']),
      extra: asObject(spec['extra']),
    },
    conditions: asObjects(status['conditions']).map((condition) => ({
      type: asText(condition['type']),
      holds: asText(condition['status']) !== 'False' && asText(condition['status']) !== 'Unknown',
      updatedAt: timeMs(asText(condition['lastUpdateTime'])),
    })),
    certificate: Buffer.from(asText(status['certificate']), 'base64').toString('latin1'),
  };
}

/** Whether one of these conditions holds: `Approved`, `Denied`, `Failed`. */
export const is = (request: SigningRequest, ...types: readonly string[]): boolean =>
  request.conditions.some(({ type, holds }) => holds && types.includes(type));

/** A condition that is written now. */
export interface NewCondition {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** The object with one more condition that holds. */
export function withCondition({ object }: SigningRequest, condition: NewCondition): ApiObject {
  const status = asObject(object['status']);
  const conditions = [...asObjects(status['conditions']), { ...condition, status: 'True' }];
  return { ...object, status: { ...status, conditions } };
}

/** The object with a certificate, given in PEM. */
export const withCertificate = ({ object }: SigningRequest, pem: string): ApiObject => ({
  ...object,
  status: { ...asObject(object['status']), certificate: Buffer.from(pem).toString('base64') },
});
