import {
  decodeHeaderOnly,
  decodeRange,
  encodeCompaction,
  encodeDeleteRange,
  encodeRange,
  type RangeRequest,
  type RangeResponse,
} from '../proto/kv.ts';
import {
  decodeLease,
  decodeTimeToLive,
  encodeLeaseGrant,
  encodeLeaseId,
  type LeaseGranted,
} from '../proto/lease.ts';
import {
  decodeAuthenticate,
  decodeStatus,
  encodeAuthenticate,
  encodeStatus,
  type MemberStatus,
} from '../proto/maintenance.ts';
import {
  type CasRequest,
  type CasResponse,
  decodeCas,
  encodeCas,
  encodeFence,
  type FenceRequest,
  type FenceResponse,
} from '../proto/txn.ts';
import type { UnaryMethod } from '../rpc/method.ts';

export const rangeMethod: UnaryMethod<RangeRequest, RangeResponse> = {
  path: '/etcdserverpb.KV/Range',
  encode: encodeRange,
  decode: decodeRange,
};

export const casMethod: UnaryMethod<CasRequest, CasResponse> = {
  path: '/etcdserverpb.KV/Txn',
  encode: encodeCas,
  decode: decodeCas,
};

export const fenceMethod: UnaryMethod<FenceRequest, FenceResponse> = {
  path: '/etcdserverpb.KV/Txn',
  encode: encodeFence,
  decode: decodeCas,
};

export const deleteRangeMethod: UnaryMethod<{ readonly key: string; readonly rangeEnd: string }, number> = {
  path: '/etcdserverpb.KV/DeleteRange',
  encode: encodeDeleteRange,
  decode: decodeHeaderOnly,
};

export const compactMethod: UnaryMethod<{ readonly revision: number }, number> = {
  path: '/etcdserverpb.KV/Compact',
  encode: encodeCompaction,
  decode: decodeHeaderOnly,
};

export const leaseGrantMethod: UnaryMethod<{ readonly ttlSeconds: number }, LeaseGranted> = {
  path: '/etcdserverpb.Lease/LeaseGrant',
  encode: encodeLeaseGrant,
  decode: decodeLease,
};

export const leaseRevokeMethod: UnaryMethod<{ readonly id: Buffer }, number> = {
  path: '/etcdserverpb.Lease/LeaseRevoke',
  encode: encodeLeaseId,
  decode: decodeHeaderOnly,
};

/** The stream of keep-alives, used for one message: it acts as a unary call when the request ends after it. */
export const leaseKeepAliveMethod: UnaryMethod<{ readonly id: Buffer }, LeaseGranted> = {
  path: '/etcdserverpb.Lease/LeaseKeepAlive',
  encode: encodeLeaseId,
  decode: decodeLease,
};

export const leaseTimeToLiveMethod: UnaryMethod<{ readonly id: Buffer }, number> = {
  path: '/etcdserverpb.Lease/LeaseTimeToLive',
  encode: encodeLeaseId,
  decode: decodeTimeToLive,
};

export const statusMethod: UnaryMethod<Record<never, never>, MemberStatus> = {
  path: '/etcdserverpb.Maintenance/Status',
  encode: encodeStatus,
  decode: decodeStatus,
};

export const authenticateMethod: UnaryMethod<
  { readonly username: string; readonly password: string },
  string
> = {
  path: '/etcdserverpb.Auth/Authenticate',
  // An expired token would be refused here too.
  anonymous: true,
  encode: encodeAuthenticate,
  decode: decodeAuthenticate,
};

/** Since etcd 3.7: one request, answered part by part. */
export const RANGE_STREAM_PATH = '/etcdserverpb.KV/RangeStream';

export const WATCH_PATH = '/etcdserverpb.Watch/Watch';
