export { requestHeads } from '../http1/head.ts';
export { type Adversary, type AdversaryTarget, adversaries } from './adversaries.ts';
export { acceptedDescriptors } from './descriptors.ts';
export { servingTls } from './serving-tls.ts';
export { head, reader, type TestServer, testServer } from './test-server.ts';
