export { ProtoError, ProtoReader } from './proto/reader.ts';
export { ProtoWriter } from './proto/writer.ts';
export { Channel } from './rpc/channel.ts';
export { unixEndpoint } from './rpc/endpoint.ts';
export type { UnaryMethod } from './rpc/method.ts';
export { GrpcCode, RpcError } from './rpc/status.ts';
