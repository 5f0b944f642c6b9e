export { ExtensionServer, type ExtensionServerOptions, json } from './extension-server.ts';
