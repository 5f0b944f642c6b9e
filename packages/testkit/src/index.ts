export * from './api-client.ts';
export { bundleClient, type ClientBundle } from './bundle-client.ts';
export { ComposeCluster } from './compose/compose-cluster.ts';
export { readComposeFile } from './compose/compose-file.ts';
export { programPath } from './compose/programs.ts';
export { corpusResource, definitionCorpus } from './definition-corpus.ts';
export { everyRequest, type SampleRequest } from './every-request.ts';
export { type ExtensionAccount, extensionAccount } from './extension-account.ts';
export * from './extension-service.ts';
export * from './go-program.ts';
export * from './haproxy.ts';
export * from './kubectl.ts';
export * from './launch.ts';
export {
  type AgentRequest,
  type NodeAgent,
  type NodeAgentOptions,
  startNodeAgent,
} from './node-agent/node-agent.ts';
export { acceptOf, WebSocketMessages } from './node-agent/web-socket.ts';
export * from './process.ts';
export * from './prometheus.ts';
export * from './python-program.ts';
export * from './run.ts';
export { temporaryFolder } from './temporary-folder.ts';
