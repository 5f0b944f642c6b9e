export { findEtcd } from './etcd-binary.ts';
export { type ClientTls, EtcdMember } from './etcd-member.ts';
export { freePorts } from './free-ports.ts';
export { type CallHandler, GrpcServer, type ServerCall } from './grpc-server.ts';
export { poll } from './poll.ts';
export { type EtcdCluster, type EtcdOptions, startEtcd } from './start-etcd.ts';
export { type Direction, TcpProxy } from './tcp-proxy.ts';
export { type TempDir, tempDir } from './temp-dir.ts';
export { type Certificate, createTestAuthority, type TestAuthority } from './test-certificates.ts';
